import type { Check, Finding } from '../../src/kind/meaning.ts';
import { viewOf } from '../support/view-of.ts';

/** A condition of a firewall rule as the YAML has it. */
export interface WrittenCondition {
  type: string;
  op: string;
  key?: string;
  neg?: boolean;
  value?: string | number | string[];
}

/**
 * Returns a firewall rule for a line: `health bypass: path eq /health & method inc GET,HEAD | header.x-check !ex`. The name comes first, then the
 * action; `off` after it for a rule that is not active; `!` inverts a condition; `|` separates groups.
 */
export function ruleOf(line: string) {
  const [head, tail] = [line.slice(0, line.indexOf(': ')), line.slice(line.indexOf(': ') + 2)];
  const [name, action, off] = head.split(' ');
  return {
    name,
    active: off !== 'off',
    conditionGroup: tail.split(' | ').map((group) => ({ conditions: group.split(' & ').map(conditionOf) })),
    action: { mitigate: mitigateOf(action!) },
  };
}

function conditionOf(text: string): WrittenCondition {
  const [subject, operator, ...rest] = text.split(' ');
  const [type, key] = subject!.split('.');
  const op = operator!.replace('!', '');
  const value = rest.join(' ');
  return {
    type: type!,
    op,
    ...(key ? { key } : {}),
    ...(operator!.startsWith('!') ? { neg: true } : {}),
    ...(/^n?ex$/.test(op) ? {} : { value: /^n?inc$/.test(op) ? value.split(',').filter(Boolean) : value }),
  };
}

const mitigateOf = (action: string) => {
  if (action === 'rate_limit')
    return { action, rateLimit: { algo: 'fixed_window', window: 60, limit: 10, keys: ['ip'] } };
  return action === 'redirect'
    ? { action, redirect: { location: '/elsewhere', permanent: false } }
    : { action };
};

/** Returns the view of a project with these firewall rules. `settings`: other members of its firewall. */
export const firewallView = (lines: readonly string[], settings: object = {}) =>
  viewOf(`projects: ${JSON.stringify({ web: { firewall: { ...settings, rules: lines.map(ruleOf) } } })}`);

/** Returns a finding in short: its severity, its code without the area, the rules that it is about, and those that cause it. */
export function shortFinding({ severity, code, address, related = [] }: Finding): string {
  const name = (text: string) => text.split('/').at(-1)!;
  const by = related.filter(({ message }) => !message.includes('as well') && !message.includes('copy'));
  const others = related.filter((other) => !by.includes(other));
  const about = [address, ...others.map((other) => other.address)].map(name).join('+');
  return [severity, name(code), about, ...by.map((other) => `< ${name(other.address)}`)].join(' ');
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
