import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import { type Browser, chromium } from 'playwright-core';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** The browser of this machine, on the PATH or named by `CHROME_PATH`; undefined, with a line that says so, where there is none. */
export function findBrowser(): string | undefined {
  const folders = (process.env.PATH ?? '').split(path.delimiter).filter(Boolean);
  const places = folders.flatMap((folder) => names.map((name) => path.join(folder, name)));
  const found = [process.env.CHROME_PATH ?? '', ...places].find(isProgram);
  if (found === undefined)
    console.log('no Chromium on the PATH or in CHROME_PATH: the page is not tried in a browser');
  return found;
}

export const startBrowser = (executablePath: string): Promise<Browser> => chromium.launch({ executablePath });

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return file !== '';
  } catch {
    return false;
  }
}
