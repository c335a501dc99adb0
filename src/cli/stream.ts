import { jsonLine } from '../report/json-value.ts';
import type { UiLine } from '../report/terraform/ui-line.ts';
import type { Host } from './host.ts';

/** Writes lines of events to standard output, each with the time at which it was written. */
export function writeStream(lines: UiLine[], { stdout, clock }: Pick<Host, 'stdout' | 'clock'>): void {
  for (const { '@level': level, '@message': message, '@module': module, ...data } of lines) {
    const time = new Date(clock.now()).toISOString();
    const line = { '@level': level, '@message': message, '@module': module, '@timestamp': time, ...data };
    stdout.write(`${jsonLine(line)}\n`);
  }
}
