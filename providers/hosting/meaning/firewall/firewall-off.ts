import type { Finding, View } from '#kind';

/** Reports declared firewalls that are off although they have active rules, or IP entries that deny: these have no effect until it is on. */
export function* reportFirewallsOff(view: View): Generator<Finding> {
  for (const { address, parent, fields, isDeclared } of view.ofKind('firewall')) {
    if (fields.firewallEnabled !== false || !isDeclared) continue;
    const rules = view.under(address, 'firewallRule').filter((rule) => rule.fields.active === true);
    const entries = view.under(address, 'firewallIp').filter((entry) => entry.fields.action === 'deny');
    const parts = [
      count(rules.length, 'active rule', 'active rules'),
      count(entries.length, 'IP entry', 'IP entries'),
    ];
    if (rules.length + entries.length === 0) continue;
    yield {
      code: 'firewall/off',
      severity: 'note',
      message: `the firewall of ${parent} is off, so its ${parts.filter(Boolean).join(' and ')} ${rules.length + entries.length === 1 ? 'does' : 'do'} nothing`,
      hint: 'set `firewallEnabled: true` if they should apply',
      address,
      path: 'firewallEnabled',
      related: [...rules, ...entries]
        .slice(0, 3)
        .map((object) => ({ message: 'has no effect', address: object.address })),
    };
  }
}

const count = (number: number, one: string, several: string): string =>
  number === 0 ? '' : `${number} ${number === 1 ? one : several}`;
