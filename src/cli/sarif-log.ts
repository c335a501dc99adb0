import troubleshooting from '../../docs/troubleshooting.md?raw';
import { createPathLocator } from '../app/ci-job.ts';
import type { Host } from '../app/host.ts';
import { explanationOf, explanationsIn } from '../manual/explanations.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { homepage, version } from '../model/version.ts';
import { sarif } from '../report/sarif.ts';

/** Problems as a SARIF log, for code scanning. `file`: where those are shown that have no place. */
export function sarifLog(diagnostics: Diagnostic[], host: Host, file: string): string {
  const explanations = explanationsIn(troubleshooting);
  return sarif(diagnostics, {
    version,
    homepage,
    file,
    locate: createPathLocator(host),
    explain: (code) => explanationOf(explanations, code)?.text,
  });
}
