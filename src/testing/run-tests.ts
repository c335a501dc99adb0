import type { Source } from '../config/yaml/source.ts';
import type { Host } from '../host.ts';
import { childKinds, kindsOf } from '../kind/define-kind.ts';
import type { Provider, Scope } from '../kind/provider.ts';
import { Reporter, raise, raiseErrors, sortDiagnostics } from '../model/diagnostic.ts';
import { mapConcurrently } from '../model/map-concurrently.ts';
import { findTestFiles } from './find-test-files.ts';
import { readTestFile } from './read-test-file.ts';
import { openTestedAccount } from './run/apply-tested.ts';
import { runTest, type TestContext } from './run/run-test.ts';
import type { TestedAccount } from './run/tested-account.ts';
import type { TestFile } from './test-file.ts';
import type { FileResult } from './test-result.ts';

/** How many tests run at once. They share one thread, so more would not be faster. */
const testsAtOnce = 4;

/** Which tests to run. */
export interface TestSelection {
  /** Files, or folders with everything below them; empty for the working directory. */
  paths: readonly string[];
  /** Only tests whose name contains this text. */
  only?: string | undefined;
}

/**
 * Finds, reads and runs tests: the use case of `trueup test`. Needs no token and no network; each account is a twin in this process. Throws `Problems`
 * with the errors of all test files before any test runs, because a misspelled expectation would expect nothing.
 */
export async function runTests(
  provider: Provider,
  { paths, only }: TestSelection,
  host: Host,
): Promise<FileResult[]> {
  const report = new Reporter();
  const sections = childKinds(kindsOf(provider.kinds), undefined).map(({ section }) => section);
  const sources: Source[] = [];
  const files: TestFile[] = [];
  for (const foundFile of await findTestFiles(host.cwd, paths, report)) {
    const file = await readTestFile(foundFile, { host, sections, sources }, report);
    if (file) files.push(file);
  }
  // An error ends the command here, so its lines are quoted before.
  for (const source of sources) source.quote();
  raiseErrors(sortDiagnostics(report.diagnostics));
  const selected = selectTests(files, only);
  const results: FileResult[] = [];
  for (const file of selected) results.push(await runFile(provider, file, host));
  // Again, because the tests that ran have found out which further parts of the files are secrets.
  for (const source of sources) source.quote();
  return results;
}

/** Returns the files with the tests whose names contain a text; all of them without one. Throws `Problems` if there is no such test. */
function selectTests(files: TestFile[], only: string | undefined): TestFile[] {
  if (only === undefined) return files;
  const selected = files
    .map((file) => ({ ...file, tests: file.tests.filter(({ name }) => name.includes(only)) }))
    .filter(({ tests }) => tests.length > 0);
  if (selected.length === 0)
    raise('test/none', `no test has ${JSON.stringify(only)} in its name`, {
      hint: '`trueup test` without --only lists all names',
    });
  return selected;
}

/**
 * Runs the tests of one file, several at once. They share one account, because the patch of a test cannot change `platform`. The account is started by the
 * first test that needs it: a test whose configuration has an error needs none.
 */
async function runFile(provider: Provider, file: TestFile, host: Host): Promise<FileResult> {
  let account: Promise<TestedAccount> | undefined;
  const context: TestContext = {
    provider,
    host,
    setup: file.setup,
    openAccount: (scope: Scope) => {
      account ??= openTestedAccount(provider, file.setup, scope, host);
      return account;
    },
  };
  try {
    const tests = await mapConcurrently(file.tests, testsAtOnce, (test) => runTest(test, context));
    return { file: file.name, tests };
  } finally {
    // Without an account there is nothing to close, and its tests have reported why.
    const opened = await account?.catch(() => undefined);
    await opened?.close();
  }
}
