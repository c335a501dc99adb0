import type { Comparison, Line } from './comparison.ts';
import { spread } from './measure.ts';
import { stackOfLists, stackOfSecrets } from './stacks.ts';
import { Workplace } from './workplace.ts';

interface LargeAccount {
  what: string;
  /** The two sizes that are compared. */
  sizes: readonly [number, number];
  yaml(size: number): string;
  /** The configuration after somebody changed the account, which `accept` writes. */
  changed(yaml: string): string;
}

const accounts: LargeAccount[] = [
  {
    what: 'resources in lists of all kinds',
    sizes: [5000, 20_000],
    yaml: stackOfLists,
    changed: (yaml) => yaml.replaceAll('value: value 0 ', 'value: another value 0 '),
  },
  {
    what: 'webhooks with delivered secrets',
    sizes: [250, 1000],
    yaml: stackOfSecrets,
    changed: (yaml) => yaml,
  },
];

const commands = {
  validate: ['validate'],
  plan: ['plan'],
  page: ['plan', '--format', 'html'],
  apply: ['apply', '--auto-approve', '--settle', '0'],
  log: ['log'],
  export: ['export'],
  accept: ['accept', '--all', '--auto-approve'],
};
type Name = keyof typeof commands;

/** The CPU seconds of each command on an account of this size; the elapsed seconds where CPU time cannot be measured. */
async function secondsOf({ yaml, changed }: LargeAccount, size: number): Promise<Map<Name, number>> {
  const text = yaml(size);
  const place = new Workplace(text);
  const seconds = new Map<Name, number>();
  try {
    await place.begin();
    for (const [name, args] of Object.entries(commands) as [Name, string[]][]) {
      if (name === 'accept' && changed(text) !== text) {
        place.configure(changed(text));
        await place.run(...commands.apply, '--ledger', 'other.json');
        place.configure(text);
      }
      const sample = await place.run(...args);
      seconds.set(name, sample.cpu ?? sample.seconds);
    }
    return seconds;
  } finally {
    await place.remove();
  }
}

async function linesOf(account: LargeAccount): Promise<Line[]> {
  const [small, large] = account.sizes;
  const few = await secondsOf(account, small);
  const many = await secondsOf(account, large);
  const text = (size: number) => size.toLocaleString('en');
  return [...few.keys()].map((name) => ({
    what: `${name} of ${text(large)} ${account.what}: CPU, against ${large / small} times that of ${text(small)}`,
    figure: many.get(name)! / few.get(name)! / (large / small),
    unit: 'times',
    target: 1.15,
    samples: {
      [text(small)]: spread([few.get(name)!]),
      [text(large)]: spread([many.get(name)!]),
    },
  }));
}

/** `apply` was quadratic once in the number of lists that are staged, and in that of the secrets that are delivered. */
export const linear: Comparison = {
  name: 'linear',
  does: 'how CPU time grows with redirects, routes, firewall rules, records and variables, and with delivered secrets',
  lines: async () => {
    const lines: Line[] = [];
    for (const account of accounts) lines.push(...(await linesOf(account)));
    return lines;
  },
};
