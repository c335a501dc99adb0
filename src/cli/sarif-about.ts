import troubleshooting from '../../docs/troubleshooting.md?raw';
import { explanationOf, explanationsIn } from '../manual/explanations.ts';
import { homepage, version } from '../model/version.ts';
import type { SarifAbout } from '../report/sarif.ts';
import { locateOn } from './actions-run.ts';
import type { Host } from './host.ts';

/** What a SARIF log says beside the problems: the tool, what each code means, and how paths are told. */
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
