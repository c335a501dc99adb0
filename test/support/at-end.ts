import { onTestFinished } from 'vitest';

const ofTheFile: (() => unknown)[] = [];

/** Has this done when the test is over, or, of what several tests share, when all tests of the file are. */
export function atEnd(work: () => unknown): void {
  try {
    onTestFinished(async () => void (await work()));
  } catch {
    ofTheFile.push(work);
  }
}

/** Does what the tests of a file left until all of them were over, the last first. */
export async function endFile(): Promise<void> {
  for (let work = ofTheFile.pop(); work; work = ofTheFile.pop()) await work();
}
