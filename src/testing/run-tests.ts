import type { FoundFile } from '../config/find-files.ts';
import type { Source } from '../config/yaml/source.ts';
import type { Host } from '../host.ts';
import { childKinds, kindsOf } from '../kind/define-kind.ts';
import type { Provider, Scope } from '../kind/provider.ts';
import { type Diagnostic, Reporter, raise, raiseErrors, sortDiagnostics } from '../model/diagnostic.ts';
import { mapConcurrently } from '../model/map-concurrently.ts';
import { findTestFiles } from './find-test-files.ts';
import { readTestFile } from './read-test-file.ts';
import { openTestedAccount } from './run/apply-tested.ts';
import { runTest, type TestContext, toErrorFailure } from './run/run-test.ts';
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
 * Finds, reads and runs tests: the use case of `trueup test`. Needs no token and no network; each account is a twin (a simulated account)
 * in this process. No test of a file with a mistake runs, because a misspelled expectation would expect nothing: the result of the file is
 * one failed test, and other files run. Throws `Problems` for paths without test files.
 */
export async function runTests(
  provider: Provider,
  { paths, only }: TestSelection,
  host: Host,
): Promise<FileResult[]> {
  const foundFiles = await findFilesToRead(paths, host);
  const sections = childKinds(kindsOf(provider.kinds), undefined).map(({ section }) => section);
  const sources: Source[] = [];
  const readFiles: (TestFile | FileResult)[] = [];
  for (const foundFile of foundFiles) {
    const report = new Reporter();
    const file = await readTestFile(foundFile, { host, sections, sources }, report);
    readFiles.push(file ?? toUnreadResult(foundFile.name, report.diagnostics));
  }
  const results: FileResult[] = [];
  for (const file of selectTests(readFiles, only))
    results.push('setup' in file ? await runFile(provider, file, host) : file);
  // At the end, because the tests that ran have found out which further parts of the files are secrets.
  for (const source of sources) source.quote();
  return results;
}

/** Finds the test files at the paths that the user gave to `trueup test`. Throws `Problems` if there are none. */
async function findFilesToRead(paths: readonly string[], host: Host): Promise<FoundFile[]> {
  const report = new Reporter();
  const files = await findTestFiles(host.cwd, paths, report);
  raiseErrors(report.diagnostics);
  return files;
}

/**
 * Returns the result of a test file with mistakes: one failed test, so that each report shows the file and its mistakes beside the tests of
 * other files.
 */
function toUnreadResult(file: string, diagnostics: readonly Diagnostic[]): FileResult {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  const failures = sortDiagnostics(errors).map(toErrorFailure);
  const position = failures.find(({ at }) => at?.file === file)?.at ?? { file, line: 1, column: 1 };
  return {
    file,
    tests: [{ name: 'read the test file', at: position, failures, isPlanned: false, milliseconds: 0 }],
  };
}

/**
 * Returns the files with the tests whose names contain a text; all of them without one. A file with mistakes (a `FileResult` with one
 * failed test) always remains, because it can have such a test. Throws `Problems` if nothing remains.
 */
function selectTests(
  files: readonly (TestFile | FileResult)[],
  only: string | undefined,
): readonly (TestFile | FileResult)[] {
  if (only === undefined) return files;
  const selected = files
    .map((file) =>
      'setup' in file ? { ...file, tests: file.tests.filter(({ name }) => name.includes(only)) } : file,
    )
    .filter(({ tests }) => tests.length > 0);
  if (selected.length === 0)
    raise('test/none', `no test has ${JSON.stringify(only)} in its name`, {
      hint: '`trueup test` without --only lists all names',
    });
  return selected;
}

/**
 * Runs the tests of one file, several at once. They share one account, because the patch of a test cannot change `platform`. The account is
 * started by the first test that needs it: a test whose configuration has an error needs none.
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
