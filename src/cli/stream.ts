import { jsonLine } from '../report/json-value.ts';
import type { UiLine } from '../report/terraform/ui-line.ts';

/** Writes lines of events to standard output, each with the time at which it was written. */
export function writeStream(lines: UiLine[]): void {
  for (const { '@level': level, '@message': message, '@module': module, ...data } of lines) {
    const time = new Date().toISOString();
    const line = { '@level': level, '@message': message, '@module': module, '@timestamp': time, ...data };
    process.stdout.write(`${jsonLine(line)}\n`);
  }
}
