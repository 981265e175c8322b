//! Compares first touches of bodies with a prescribed motion with the closed form of the gap: `driven_drops [COUNT [FIRST]]`.

#[path = "../tests/integration/common/meetings.rs"]
mod meetings;

fn main() {
    let mut arguments = std::env::args().skip(1).map(|word| word.parse::<u64>());
    let mut next = |or: u64| arguments.next().and_then(Result::ok).unwrap_or(or);
    let (count, first) = (next(1200), next(0));
    let (mut wrong, mut touched) = (0, 0);
    for number in first..first + count {
        let meeting = meetings::meeting(number);
        touched += u32::from(meeting.expected().0.is_some());
        if let Some(sentence) = meeting.wrong() {
            wrong += 1;
            println!("{number}: {sentence}");
        }
    }
    println!("{count} scenes, {touched} with a touch, {wrong} wrong");
}
