"""Measures frames per second of the lab's page with a bed of grains, in a browser with or without a graphics processor.

    pip install aiohttp
    python bench/lab_frames.py target/release/carom --browser chromium --grains 1000000 -- --use-gl=angle --use-angle=gl-egl

Arguments after `--` are options of Chromium; those above draw with an NVIDIA card on a machine without a screen, and without
options the page is drawn in software. A frame is the page's own drawing of the bed in a window of 1280x720, each time at another
instant of the film and from another direction. Its time is the elapsed time between two frames that the browser shows, without
waiting for a screen. The renderer reported by WebGL and the memory of the page are listed as well.
"""

import argparse
import asyncio
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import aiohttp

SCENE = """[simulation]
duration = "400 us"
gravity = 9.81
[grains]
count = {count}
radii = ["0.9 mm", "1.1 mm"]
youngs = "5 MPa"
poisson = 0.3
density = 2500
width = ["{width} mm", "{width} mm"]
velocity = [0, 0, "-1 m/s"]
snapshot = "100 us"
[grains.contact]
law = "tsuji-1992"
restitution = 0.6
"""

RENDERER = """(() => { const gl = document.createElement('canvas').getContext('webgl2'); if (!gl) return 'no WebGL 2';
const named = gl.getExtension('WEBGL_debug_renderer_info');
return gl.getParameter(named ? named.UNMASKED_RENDERER_WEBGL : gl.RENDERER); })()"""

PREPARE = """(async () => { const { Film } = await import('/film.js'); const { Stage } = await import('/stage.js');
const { Camera } = await import('/camera.js'); const begun = performance.now();
const film = new Film(await (await fetch('/api/v1/run')).json()); const camera = new Camera();
const stage = (window.timed = new Stage(document.getElementById('canvas'), camera));
stage.resize(); camera.flat = film.planar; stage.show(film); stage.fit(); stage.draw(0);
return [performance.now() - begun, stage.canvas.width, stage.canvas.height]; })()"""

FRAMES = """(async () => { const stage = window.timed; Object.assign(stage.options, %s);
const took = []; let last = null;
for (let i = 0; i < 80; i++) { const now = await new Promise(requestAnimationFrame);
if (i >= 20) took.push(now - last); last = now;
stage.camera.orbit(3, 0); stage.draw(((i + 0.5) / 80) * stage.film.end); }
return took.sort((a, b) => a - b); })()"""

VIEWS = {
    "all grains": "{}",
    "coloured by force, with force chains": "{ chains: true, colour: 'force' }",
}


def first_match(stream, pattern):
    """Returns the first match of a pattern in the lines that a program prints."""
    for line in stream:
        if found := re.search(pattern, line):
            return found.group(0)
    raise SystemExit(f"the program ended without printing {pattern}")


async def measure(socket, address):
    number = 0

    async def call(method, **parameters):
        nonlocal number
        number += 1
        await socket.send_json({"id": number, "method": method, "params": parameters})
        while True:
            answer = json.loads((await socket.receive()).data)
            if answer.get("id") == number:
                return answer["result"]

    async def evaluate(script):
        answer = await call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in answer:
            raise SystemExit(json.dumps(answer["exceptionDetails"])[:2000])
        return answer["result"]["value"]

    await call("Emulation.setDeviceMetricsOverride", width=1280, height=720, deviceScaleFactor=1, mobile=False)
    await call("Page.navigate", url=address)
    await asyncio.sleep(3)
    print(f"renderer: {await evaluate(RENDERER)}")
    prepared, width, height = await evaluate(PREPARE)
    print(f"film read and first frame drawn after {prepared / 1e3:.2f} s, {width} x {height} pixels")
    for name, options in VIEWS.items():
        took = await evaluate(FRAMES % options)
        median = took[len(took) // 2]
        print(f"{name}: {median:.1f} ms a frame in the middle of 60 ({1e3 / median:.0f} a second), {took[-1]:.1f} ms the slowest")
    memory = await evaluate("performance.memory ? performance.memory.usedJSHeapSize : null")
    if memory:
        print(f"memory of the page's script: {memory / 2**20:.0f} MiB")


async def browse(port, address):
    async with aiohttp.ClientSession() as session:
        for _ in range(100):
            try:
                async with session.get(f"http://127.0.0.1:{port}/json/list") as answer:
                    pages = [page for page in await answer.json() if page["type"] == "page"]
                if pages:
                    break
            except aiohttp.ClientError:
                pass
            await asyncio.sleep(0.2)
        else:
            raise SystemExit("the browser does not answer")
        async with session.ws_connect(pages[0]["webSocketDebuggerUrl"], max_msg_size=0) as socket:
            await measure(socket, address)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("carom", help="the program")
    parser.add_argument("--browser", default="chromium")
    parser.add_argument("--grains", type=int, default=100_000)
    words = sys.argv[1:]
    behind = words.index("--") if "--" in words else len(words)
    arguments, browser_options = parser.parse_args(words[:behind]), words[behind + 1 :]
    # The browser may still be writing its profile when it is terminated.
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        folder = pathlib.Path(folder)
        # The bed is about as high as wide.
        width = round(2.2 * arguments.grains ** (1 / 3))
        (folder / "scene.toml").write_text(SCENE.format(count=arguments.grains, width=width))
        simulate = [arguments.carom, "simulate", folder / "scene.toml", "--out", folder / "run", "--format", "parquet"]
        subprocess.run(simulate, check=True, stdout=subprocess.DEVNULL)
        lab = subprocess.Popen([arguments.carom, "lab", folder / "run", "--no-open", "--no-token", "--port", "0"],
                               stdout=subprocess.PIPE, text=True)
        address = first_match(lab.stdout, r"http://127\.0\.0\.1:\d+/")
        options = [
            "--headless", "--no-sandbox", "--no-first-run", "--disable-background-networking", "--remote-debugging-port=0",
            "--remote-allow-origins=*", "--disable-frame-rate-limit", "--disable-gpu-vsync", f"--user-data-dir={folder / 'profile'}", *browser_options, "about:blank",
        ]  # fmt: skip
        browser = subprocess.Popen([arguments.browser, *options], stderr=subprocess.PIPE, text=True)
        try:
            listening = first_match(browser.stderr, r"ws://127\.0\.0\.1:\d+")
            asyncio.run(browse(listening.rsplit(":", 1)[1], f"{address}scenes#run"))
        except aiohttp.ClientError as error:
            browser.kill()
            raise SystemExit(f"the browser ended ({error}); it printed\n{browser.stderr.read()[-2000:]}") from error
        finally:
            browser.kill()
            lab.kill()
            browser.wait()


if __name__ == "__main__":
    main()
