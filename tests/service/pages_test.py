"""The pages for people, in a real browser. Pictures of them stay in build/artefacts."""

import json
import unittest

from browser import open_browser
from harness import ServiceTest, wait_until

# The least contrast of a text against what lies behind it, by the formula of WCAG 2.
LEAST_CONTRAST = """
const parts = (color) => color.match(/[\\d.]+/g).map(Number);
const light = (color) => parts(color).slice(0, 3).map((c) => c / 255)
  .map((c) => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
  .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
const behind = (element) => {
  for (let e = element; e; e = e.parentElement) {
    const color = getComputedStyle(e).backgroundColor;
    if ((parts(color)[3] ?? 1) === 1) return color;
  }
  return "rgb(255, 255, 255)";
};
return Math.min(...[...document.querySelectorAll("h1,h2,p,a,li,code,footer")].map((e) => {
  const a = light(getComputedStyle(e).color), b = light(behind(e));
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}));
"""
FOREIGN = """return performance.getEntriesByType("resource").map((e) => e.name)
  .filter((name) => new URL(name).origin !== location.origin && !name.startsWith("data:"));"""


class PagesTest(ServiceTest):
    def setUp(self):
        super().setUp()
        self.running = self.service()
        self.running.start()
        self.address = f"http://127.0.0.1:{self.running.port}"

    def page_for_admins(self, path):
        return f"http://reader:{self.running.token}@127.0.0.1:{self.running.port}{path}"

    def test_the_landing_page_fits_every_width_and_light_and_dark(self):
        with open_browser() as browser:
            seen = {}
            for width, height in ((360, 740), (1280, 900)):
                for scheme in ("light", "dark"):
                    browser.look(width, height, scheme)
                    browser.open(self.address + "/")
                    with self.subTest(width=width, scheme=scheme):
                        self.assertLessEqual(browser.run("return document.documentElement.scrollWidth"), width)
                        self.assertEqual(browser.run("return innerWidth"), width)
                        self.assertIn("Healthy", browser.run("return document.querySelector('[role=status]').textContent"))
                        self.assertIn(self.address, browser.run("return document.body.textContent"))
                        self.assertGreaterEqual(browser.run(LEAST_CONTRAST), 4.5)
                        self.assertEqual(browser.run("return document.documentElement.lang"), "en")
                        self.assertEqual(browser.run("return document.querySelectorAll('h1').length"), 1)
                        self.assertEqual(browser.run(FOREIGN), [])
                    seen[scheme] = browser.run("return getComputedStyle(document.body).backgroundColor")
                    browser.keep_picture(f"landing-{width}-{scheme}")
            self.assertNotEqual(seen["light"], seen["dark"])
            self.assertEqual(browser.complaints(), [])

    def test_the_landing_page_holds_no_token(self):
        page = self.running.call("GET", "/", token=None).body.decode()
        self.assertNotIn(self.running.token, page)
        self.assertIn("YOUR-TOKEN", page)

    def test_swagger_ui_shows_every_operation_and_loads_nothing_from_elsewhere(self):
        document = self.running.call("GET", "/v3/api-docs").json()
        with open_browser() as browser:
            browser.look(1280, 1400, "light")
            browser.open(self.page_for_admins("/swagger-ui.html"))
            count = sum(len(methods) for methods in document["paths"].values())
            wait_until(lambda: browser.run("return document.querySelectorAll('.opblock').length") == count, "the operations")
            self.assertEqual(browser.run(FOREIGN), [])
            self.assertEqual(browser.complaints(), [])
            browser.keep_picture("swagger-ui")
            # The policy is at work, and this test would see a page that breaks it.
            browser.run("document.head.append(Object.assign(document.createElement('style'), {textContent: 'p {}'}))")
            self.assertIn("Content Security Policy", browser.complaints()[0])

    def test_the_authorize_button_takes_the_token_for_the_calls(self):
        with open_browser() as browser:
            browser.look(1280, 1400, "light")
            browser.open(self.page_for_admins("/swagger-ui/index.html"))
            browser.click(".auth-wrapper .authorize")
            browser.type(".auth-container input[type=text][aria-label=auth-bearer-value]", self.running.token)
            browser.click(".auth-container .authorize")
            browser.click(".auth-btn-wrapper .btn-done")
            call = "#operations-ranges-reserveRange"
            browser.click(f"{call} .opblock-summary-control")
            browser.click(f"{call} .try-out__btn")
            browser.click(f"{call} .execute")
            browser.find(f"{call} .live-responses-table .response")
            shown = browser.run("return document.querySelector(arguments[0]).innerText", f"{call} .live-responses-table .response")
            browser.keep_picture("swagger-ui-call")
            self.assertTrue(shown.startswith("200"), shown)
            self.assertIn('"end": 1000', shown)
            self.assertEqual(browser.complaints(), [])
        again = self.running.reserve("orders/number", size=1)
        self.assertEqual(json.loads(again.body)["start"], 1000)  # the page's call was a real one


if __name__ == "__main__":
    unittest.main()
