import { expect } from 'vitest';
import { applyJournalLines } from '../../src/ledger/journal-lines.ts';
import { parseLedger } from '../../src/ledger/parse-ledger.ts';
import { emptyLedger, type Ledger } from '../../src/model/ledger.ts';
import { addressAfter, renameInLedger } from '../../src/model/move.ts';
import { oneStoryIn } from '../support/sweep.ts';

const story = oneStoryIn(4);

const list = 'projects/web/firewall#firewallRule';
const rules = ['a', 'b'].map((name) => `projects/web/firewall/rules/${name}`);
const ledger: Ledger = { ...emptyLedger('https://api', 'team', 'test'), orders: { [list]: rules } };

story('the recorded orders are read back, and a ledger without them is one, too', () => {
  expect(parseLedger(JSON.stringify(ledger), 'here').orders).toEqual({ [list]: rules });
  const { orders: _, ...older } = ledger;
  expect(parseLedger(JSON.stringify(older), 'here')).not.toHaveProperty('orders');
});

story('a line of the journal that names a list ends its recorded order', () => {
  const { baseUrl, owner, stack, generation } = ledger;
  const head = { journal: 1 as const, baseUrl, owner, stack, generation };
  const after = (id: string) =>
    applyJournalLines(ledger, { head, lines: [{ set: { [id]: { entry: null, begun: null } } }] }).ledger
      .orders;
  expect(after(list)).toBeUndefined();
  expect(after('projects/other#projectRoute')).toEqual({ [list]: rules });
});

story('a rename renames the list, the items in it, and the change that was to be verified', () => {
  const moves = [{ from: 'projects/web', to: 'projects/shop', renamedBy: 'projects/shop' }];
  const renamed = renameInLedger(
    { ...ledger, unverifiedFirstChange: 'projects/web/env/A@production' },
    (address) => addressAfter(address, moves),
  );
  expect(renamed.orders).toEqual({
    'projects/shop/firewall#firewallRule': rules.map((rule) => rule.replace('web', 'shop')),
  });
  expect(renamed.unverifiedFirstChange).toBe('projects/shop/env/A@production');
});
