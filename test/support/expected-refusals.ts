import { expect, onTestFinished } from 'vitest';

/** A test with plans of which no snapshot is written, although each plan of the suite should be repeatable. */
interface ExpectedRefusal {
  file: string;
  test: string;
  reason: string;
}

/**
 * The refusals that are right. Each has a reason, and a test in which nothing is refused any more must leave this list: it fails in a run with
 * TRUEUP_REPLAY.
 */
export const expectedRefusals: readonly ExpectedRefusal[] = [
  {
    file: 'test/snapshot/stated-secrets.test.ts',
    test: 'stands in no snapshot: none is written, and the plan is shown',
    reason: 'the configuration shows a secret, and the snapshot of its account would show it, too',
  },
  ...[
    'No report of a plan shows a value that a finding calls a secret, whether it is declared or live.',
    'No verdict of guards quotes the line of a value that a finding calls a secret.',
    'A key that was applied in clear, as an encrypted variable, is hidden when it is replaced or removed',
  ].map((test) => ({
    file: 'test/adversarial/found-secrets.test.ts',
    test,
    reason: 'findings call values of the account and of the configuration secrets',
  })),
  {
    file: 'test/ledger/ledger.test.ts',
    test: 'does not tell that two values are equal',
    reason: 'a variable of the configuration shows the same text as a secret of the run',
  },
  {
    file: 'test/sdk/sdk-account.test.ts',
    test: 'an account that was filled through the SDK alone plans to nothing',
    reason: 'random fields of the configuration show the same texts as secrets',
  },
];

/** The tests that are running and whose plans may be refused, with the number of refusals so far. */
const refusalCounts = new Map<ExpectedRefusal, number>();

/** Notes that the running test plans. If a refusal is expected there and none comes, the test fails. */
export function expectListedRefusal(): void {
  const refusal = findListedRefusal();
  if (!refusal || refusalCounts.has(refusal)) return;
  refusalCounts.set(refusal, 0);
  onTestFinished(() => {
    const refusalCount = refusalCounts.get(refusal);
    refusalCounts.delete(refusal);
    if (refusalCount === 0)
      throw new Error('no snapshot was refused: remove this test from test/support/expected-refusals.ts');
  });
}

/** True if a refusal is expected in the running test. */
export function isRefusalExpected(): boolean {
  const refusal = findListedRefusal();
  if (refusal) refusalCounts.set(refusal, (refusalCounts.get(refusal) ?? 0) + 1);
  return refusal !== undefined;
}

function findListedRefusal(): ExpectedRefusal | undefined {
  const { testPath = '', currentTestName = '' } = expect.getState();
  return expectedRefusals.find(({ file, test }) => testPath.endsWith(file) && currentTestName.endsWith(test));
}
