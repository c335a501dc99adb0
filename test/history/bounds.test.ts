import { expect } from 'vitest';
import { openRecording } from '../../src/history/open-recording.ts';
import { readHistory } from '../../src/history/read-history.ts';
import { type HistoryUpdate, recordFileName } from '../../src/ledger/documents.ts';
import { isVerified } from '../../src/ledger/proof.ts';
import type { Change } from '../../src/model/change.ts';
import { ledgerKeyFrom } from '../../src/model/digest.ts';
import type { Plan } from '../../src/model/plan.ts';
import { change } from '../report/builders.ts';
import { oneStoryIn } from '../support/sweep.ts';

const story = oneStoryIn(3);

const key = ledgerKeyFrom('a key for tests, long enough');
const ledger = { baseUrl: 'https://api.example.com', owner: 'team_1', stack: 'shop' };

const changeOf = (name: string, value: string): Change =>
  change('create', `projects/${name}`, {
    kind: 'project',
    fields: [{ path: 'framework', after: value, cause: 'edit' }],
  });
const planOf = (changes: Change[]): Plan => ({
  stack: 'shop',
  complete: true,
  changes,
  operations: [],
  unmanaged: [],
  diagnostics: [],
});

/** Records in memory, as a store has them. */
function place() {
  const texts = new Map<string, string>();
  const history = {
    names: async () => [...texts.keys()].sort(),
    read: async (names: readonly string[]) =>
      new Map(names.flatMap((name) => (texts.has(name) ? [[name, texts.get(name)!] as const] : []))),
  };
  const write = ({ records: edits }: HistoryUpdate) => {
    for (const [name, text] of edits)
      if (text === undefined) texts.delete(name);
      else texts.set(name, text);
  };
  return { texts, documents: { history, place: 'here' }, write };
}

async function run({ documents, write }: ReturnType<typeof place>, plan: Plan): Promise<void> {
  const about = { command: 'apply' as const, values: true };
  const recording = await openRecording({ documents, ledger, key, plan, about, now: () => 0 });
  const done = plan.changes.map(({ address }) => address);
  recording.end({ done, failed: [], postponed: [], skipped: [], overwritten: [], interrupted: false });
  write(recording.composeUpdate());
}

story('old records lose their changes, then go; what is left is verified, and whole', async () => {
  const here = place();
  const plan = planOf([changeOf('web', 'nextjs')]);
  for (let at = 1; at <= 1003; at++) await run(here, plan);
  expect(here.texts.size).toBe(1000);
  expect(here.texts.has(recordFileName(3))).toBe(false);
  const { records, doubts } = await readHistory(here.documents, ledger, key);
  expect(doubts).toEqual([]);
  expect(records.every(({ proof }) => isVerified(proof))).toBe(true);
  expect(records.filter(({ details }) => details).map(({ head }) => head.run)[0]).toBe(904);
  // A gap among the old ones is no bound.
  here.texts.delete(recordFileName(500));
  expect((await readHistory(here.documents, ledger, key)).doubts).toEqual([
    'the record of run 500 is missing',
  ]);
  here.texts.delete(recordFileName(4));
  expect((await readHistory(here.documents, ledger, key)).doubts).toContain(
    'the records of runs 1 to 4 are missing',
  );
});

story('a record stays small, however much a run changes', async () => {
  const here = place();
  const many = Array.from({ length: 30_000 }, (_, at) => changeOf(`site-${at}`, 'x'.repeat(200)));
  await run(here, planOf([changeOf('large', 'x'.repeat(20_000)), ...many]));
  const text = here.texts.get(recordFileName(1))!;
  expect(text.length).toBeLessThan(6_000_000);
  const [record] = (await readHistory(here.documents, ledger, key)).records;
  const { changes, more = 0 } = record!.details!;
  expect(changes.length + more).toBe(30_001);
  expect(changes[0]!.fields).toEqual([{ path: 'framework', cause: 'edit', omitted: true }]);
  expect(changes[1]!.fields[0]!.after).toHaveLength(200);
  expect(changes.at(-1)).toMatchObject({ fields: [], omitted: true });
});
