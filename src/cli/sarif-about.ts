import troubleshooting from '../../docs/troubleshooting.md?raw';
import { explanationOf, explanationsIn } from '../manual/explanations.ts';
import { homepage, version } from '../model/version.ts';
import type { SarifAbout } from '../report/sarif.ts';
import { locateOn } from './actions-run.ts';
import type { Host } from './host.ts';

/** The frame of a SARIF log: the tool, the meaning of each code, and the form of paths. */
export function sarifAbout(host: Host, file: string): SarifAbout {
  const all = explanationsIn(troubleshooting);
  return {
    version,
    homepage,
    file,
    locate: locateOn(host),
    explain: (code) => explanationOf(all, code)?.text,
  };
}
