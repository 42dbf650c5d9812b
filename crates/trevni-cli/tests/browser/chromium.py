"""A headless Chromium, driven through its DevTools protocol."""

import base64
import json
import pathlib
import shutil
import subprocess
import tempfile
import time

import websocket

PROGRAMS = ["chromium", "chromium-browser", "google-chrome"]
# Seconds that anything may take; no test depends on how long it does.
PATIENCE = 60


def installed():
    """The path of Chromium; None where there is none."""
    return next(filter(None, map(shutil.which, PROGRAMS)), None)


class Chromium:
    """A browser with one tab."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        options = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
                   "--hide-scrollbars", "--remote-debugging-port=0", "--remote-allow-origins=*",
                   f"--user-data-dir={self.folder.name}", "about:blank"]
        self.process = subprocess.Popen([installed(), *options], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        address = pathlib.Path(self.folder.name, "DevToolsActivePort")
        end = time.monotonic() + PATIENCE
        while not (address.exists() and address.read_text().count("\n")):
            if self.process.poll() is not None or time.monotonic() > end:
                raise RuntimeError("Chromium did not start")
            time.sleep(0.05)
        port, path = address.read_text().split("\n")[:2]
        self.socket = websocket.create_connection(f"ws://127.0.0.1:{port}{path}", timeout=PATIENCE)
        self.number, self.session, self.events = 0, None, []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ["Page", "Runtime", "Log", "Network"]:
            self.call(f"{domain}.enable")

    def close(self):
        self.session = None
        try:
            self.call("Browser.close")
            self.socket.close()
            self.process.wait(PATIENCE)
        finally:
            self.process.kill()
            self.folder.cleanup()

    def call(self, method, **parameters):
        """What a method of the protocol returns; events that come meanwhile are kept."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        self.socket.send(json.dumps(message))
        while True:
            answer = json.loads(self.socket.recv())
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer)

    def wait_for(self, method):
        while not any(event["method"] == method for event in self.events):
            self.events.append(json.loads(self.socket.recv()))

    def open(self, path, width=1280, height=900, scheme="light", media="", phone=False):
        """Opens a file, with a viewport and a colour scheme."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=phone)
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self.call("Emulation.setEmulatedMedia", media=media, features=features)
        self.events.clear()
        self.call("Page.navigate", url=pathlib.Path(path).resolve().as_uri())
        self.wait_for("Page.loadEventFired")

    def value(self, script):
        """What a script comes to, as JSON."""
        result = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(f"{script}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def press(self, key):
        codes = {"Tab": 9, "Enter": 13, " ": 32}
        text = {"Enter": "\r", " ": " "}.get(key, "")
        for kind in ["keyDown", "keyUp"]:
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code={" ": "Space"}.get(key, key),
                      text=text if kind == "keyDown" else "", windowsVirtualKeyCode=codes[key])

    def write(self, text):
        self.call("Input.insertText", text=text)

    def complaints(self):
        """Errors and warnings of the console, and exceptions."""
        found = []
        for event in self.events:
            kind, parameters = event["method"], event.get("params", {})
            if kind == "Log.entryAdded" and parameters["entry"]["level"] in ("error", "warning"):
                found.append(parameters["entry"]["text"])
            if kind == "Runtime.exceptionThrown":
                found.append(json.dumps(parameters))
            if kind == "Runtime.consoleAPICalled" and parameters["type"] in ("error", "warning", "assert"):
                found.append(json.dumps(parameters["args"]))
        return found

    def requests(self):
        """The addresses that were asked for."""
        asked = [event for event in self.events if event["method"] == "Network.requestWillBeSent"]
        return [event["params"]["request"]["url"] for event in asked]

    def screenshot(self, path, whole=False):
        picture = self.call("Page.captureScreenshot", captureBeyondViewport=whole, **({"clip": self.all()} if whole else {}))
        pathlib.Path(path).write_bytes(base64.b64decode(picture["data"]))

    def all(self):
        size = self.call("Page.getLayoutMetrics")["cssContentSize"]
        return {"x": 0, "y": 0, "width": size["width"], "height": size["height"], "scale": 1}

    def pdf(self, path):
        page = self.call("Page.printToPDF", preferCSSPageSize=True, printBackground=False)
        pathlib.Path(path).write_bytes(base64.b64decode(page["data"]))
