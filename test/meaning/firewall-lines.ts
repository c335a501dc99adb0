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
 * action, for a redirect with its target (`redirect>/login`); `off` after it for a rule that is not active; `!` inverts a condition; `|` separates groups.
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

const mitigateOf = (text: string) => {
  const [action, location = 'https://example.net/'] = text.split('>');
  if (action === 'rate_limit')
    return { action, rateLimit: { algo: 'fixed_window', window: 60, limit: 10, keys: ['ip'] } };
  return action === 'redirect' ? { action, redirect: { location, permanent: false } } : { action };
};
