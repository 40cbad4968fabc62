import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const executablePath = '/usr/bin/chromium'

/** True if the tests of pages in a browser can run. */
export const hasChromium = existsSync(executablePath)
if (!hasChromium) console.warn(`No page is opened in a browser, because ${executablePath} does not exist.`)

/** Parts of Chromium's own window, which load a page of their own next to each tested page. */
const windowFeatures = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'WebUIOmniboxFullPopup']
/** Features that Playwright disables. They are repeated, because only the last switch of a name counts. */
const playwrightFeatures = [
  ...['AvoidUnnecessaryBeforeUnloadCheckSync', 'DestroyProfileOnBrowserClose', 'HttpsUpgrades'],
  ...[
    'HttpsFirstBalancedModeAutoEnable',
    'LensOverlay',
    'MediaRouter',
    'PaintHolding',
    'ThirdPartyStoragePartitioning',
  ],
  ...['AvoidCorsURLLoaderRestartOnRedirect', 'OptimizationHints', 'NetworkTimeServiceQuerying', 'AimEnabled'],
  'PreconnectToSearch',
]

/** Starts the browser in which pages are tested. */
export const launchChromium = (): Promise<Browser> =>
  chromium.launch({
    executablePath,
    args: ['--no-sandbox', `--disable-features=${[...playwrightFeatures, ...windowFeatures].join()}`],
  })
