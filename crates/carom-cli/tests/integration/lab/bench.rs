//! The pages for drop tests and robot files.

use super::browser::Browser;
use super::served::Lab;
use carom::drop_test::synthesis::{Bouncing, Microphone, wav};
use std::fmt::Write;

const ROBOT: &str = r#"<mujoco>
  <option timestep="0.002"/>
  <worldbody>
    <geom name="floor" type="plane" size="1 1 1"/>
    <body name="ball" pos="0 0 1">
      <freejoint/>
      <geom name="ball" size="0.05" mass="0.5" solref="0.001 0.2"/>
    </body>
  </worldbody>
</mujoco>"#;

/// Sets a field as typing would.
fn set(page: &mut Browser, id: &str, value: &str) {
    page.eval(&format!(
        "(() => {{ const f = document.getElementById({id:?}); f.value = {value:?}; f.dispatchEvent(new Event('input', {{bubbles: true}})); }})()"
    ));
}

#[test]
fn a_dropped_robot_file_lists_its_contacts_and_findings_and_is_changed() {
    let lab = Lab::start();
    let Some(mut page) = Browser::open(&format!("{}robot", lab.url())) else { return };
    page.until("document.readyState === 'complete'");
    page.eval("document.getElementById('example').click()");
    page.until("document.querySelectorAll('#contacts tbody tr').length === 1");
    page.drop_file("robot.xml", ROBOT);
    page.until("document.querySelector('#contacts tbody')?.innerText.includes('ball')");
    let row = page.text("document.querySelector('#contacts tbody').innerText");
    assert!(row.contains("floor – ball") && row.contains("1 m/s"), "{row}");
    let findings = page.text("document.getElementById('findings').innerText");
    assert!(findings.contains("line 7"), "{findings}");
    page.picture("robot");
    // Another restitution: the changed numbers, and the result of the changed file.
    set(&mut page, "restitution", "0.7");
    page.until("document.querySelectorAll('#changes li').length > 0");
    let changes = page.text("document.getElementById('changes').innerText");
    assert!(changes.contains("line 7") && changes.contains("solref"), "{changes}");
    page.until("[...document.querySelectorAll('#contacts tbody td')].some((cell) => cell.innerText.startsWith('0.70'))");
    assert_eq!(page.text("String(document.getElementById('save').hidden)"), "false");
    // Mistakes are reported next to the fields.
    set(&mut page, "speed", "fast");
    page.until("!document.getElementById('problem').hidden");
    set(&mut page, "speed", "1 m/s, 2 m/s");
    page.until("document.querySelectorAll('#contacts tbody tr').length === 2");
    page.drop_file("robot.xml", "<mujoco><worldbody>");
    page.until("!document.getElementById('problem').hidden");
    page.asked_only(&lab);
    assert!(page.complaints.iter().all(|said| said.contains("400")), "{:?}", page.complaints);
}

#[test]
fn heights_and_a_recording_become_restitution_over_speed() {
    let lab = Lab::start();
    let Some(mut page) = Browser::open(&format!("{}drop", lab.url())) else { return };
    page.until("document.querySelectorAll('#impacts tbody tr').length === 3");
    let table = page.text("document.getElementById('impacts').innerText");
    assert!(table.contains("0.8367"), "{table}");
    page.until("document.querySelector('[data-plot=restitution] svg path') !== null");
    // A recording: the wave is shown with one mark more than there are impacts.
    let bounces = Bouncing::new(0.8, 0.75, 7).bounces();
    let heard: Vec<_> = bounces.iter().map(|b| (b.time, b.speed)).collect();
    let microphone = Microphone { rate: 8000.0, duration: 3.0, ..Microphone::default() };
    let mut bytes = String::new();
    for byte in wav(&microphone.record(&heard, 3e-4), 8000) {
        let _ = write!(bytes, "{byte:02x}");
    }
    page.eval(&format!(
        "(() => {{ const hex = {bytes:?}; const all = Uint8Array.from({{length: hex.length / 2}}, (_, i) => parseInt(hex.slice(2 * i, 2 * i + 2), 16)); \
         const t = new DataTransfer(); t.items.add(new File([all], 'ball.wav')); \
         document.dispatchEvent(new DragEvent('drop', {{dataTransfer: t, bubbles: true, cancelable: true}})); }})()"
    ));
    page.until("!document.getElementById('wave').hidden");
    page.until("document.querySelector('[data-plot=wave] svg path') !== null");
    let rows = page.eval("document.querySelectorAll('#impacts tbody tr').length").as_u64().unwrap();
    assert!(rows >= 4, "{rows}");
    let e = page.text("document.querySelector('#impacts tbody tr td:nth-child(5)').innerText");
    assert!((e.parse::<f64>().unwrap() - 0.75).abs() < 0.01, "{e}");
    page.picture("drop");
    page.size(390, 800);
    page.picture("drop-narrow");
    // Back to heights, then a mistake.
    page.eval("document.getElementById('forget').click()");
    set(&mut page, "drop", "0.5m");
    set(&mut page, "bounce", "0.4m");
    page.until("document.querySelectorAll('#impacts tbody tr').length === 1 && document.getElementById('problem').hidden");
    // Changes of one field within a second are undone together.
    std::thread::sleep(std::time::Duration::from_millis(1100));
    set(&mut page, "bounce", "0.7m");
    page.until("document.getElementById('problem').innerText.includes('at most the drop height')");
    // The last result remains, dimmed, and the field is marked; Undo reverts the mistake, and the address contains the text as
    // typed.
    let marked = "document.body.classList.contains('stale') && document.querySelector('#controls [aria-invalid=true]') !== null";
    page.until(&format!("{marked} && document.querySelectorAll('#impacts tbody tr').length > 0"));
    assert!(page.text("location.hash").contains("bounce=0.7m"));
    page.eval("document.getElementById('undo').click()");
    page.until(&format!("document.getElementById('bounce').value === '0.4m' && !({marked})"));
    page.go(&format!("{}drop#drop=1+m&bounce=0.7%2C+0.5+m&successive=1", lab.url()));
    page.until("document.querySelectorAll('#impacts tbody tr').length === 2 && document.getElementById('successive').checked");
    page.asked_only(&lab);
    assert!(page.complaints.iter().all(|said| said.contains("400")), "{:?}", page.complaints);
}
