import type { Check, Finding } from '../../src/kind/meaning.ts';
import { viewOf } from '../support/view-of.ts';
import { ruleOf } from './firewall-lines.ts';

/** Returns the view of a project with these firewall rules. `settings`: other members of its firewall. */
export const firewallView = (lines: readonly string[], settings: object = {}) =>
  viewOf(`projects: ${JSON.stringify({ web: { firewall: { ...settings, rules: lines.map(ruleOf) } } })}`);

/** Returns a finding in short: its severity, its code without the area, the rule that it is about, and those that cause it. */
export function shortFinding({ severity, code, address, related = [] }: Finding): string {
  const name = (text: string) => text.split('/').at(-1)!;
  return [severity, name(code), name(address), ...related.map((other) => `< ${name(other.address)}`)].join(
    ' ',
  );
}

/** Returns what checks find in a project with these firewall rules, in short. */
export async function findingsFor(
  checks: readonly Check[],
  lines: readonly string[],
  settings?: object,
): Promise<string[]> {
  const view = await firewallView(lines, settings);
  return checks.flatMap((check) => [...check.find(view)].map(shortFinding)).sort();
}
