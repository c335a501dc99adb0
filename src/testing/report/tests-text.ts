/*
 * Formats the results of tests for a terminal. A shared error is one that several tests have and none of them expects, such as a mistake in
 * the configuration or in the seed. It has one cause, so it is printed once, above all tests, with the number of tests that it stops.
 */
import { groupBy } from '../../model/graph.ts';
import { diagnosticLines } from '../../report/diagnostics-text.ts';
import { plainly, type Style } from '../../report/style.ts';
import { cleanLine, count } from '../../report/text.ts';
import {
  countResults,
  type Failure,
  type FileResult,
  isErrorFailure,
  isNotRun,
  isPassed,
  type TestResult,
} from '../test-result.ts';
import { failureDiagnostic } from './failure-diagnostics.ts';

/**
 * Formats the results of `trueup test` for a terminal: errors that several tests share, then each test with its state and the differences
 * of a failed one, and the counts at the end.
 */
export function testsText(files: readonly FileResult[], style: Style): string {
  const sharedErrors = findSharedErrors(files);
  const blocks = [
    ...[...sharedErrors.values()].map((sharedError) => sharedErrorText(sharedError, style)),
    ...files.map(({ file, tests }) =>
      [style.strong(cleanLine(file)), ...tests.flatMap((test) => testLines(test, style, sharedErrors))].join(
        '\n',
      ),
    ),
    style.strong(testCountsText(files)),
  ];
  return plainly(blocks.join('\n\n'), style);
}

/** Returns the last line of the report of `trueup test`: "5 tests in 2 files, 1 passed, 4 failed (3 could not run)." */
function testCountsText(files: readonly FileResult[]): string {
  const { passed, failed, notRun } = countResults(files);
  const counts = [`${count(passed + failed, 'test')} in ${count(files.length, 'file')}`, `${passed} passed`];
  if (failed > 0) counts.push(`${failed} failed${notRun > 0 ? ` (${notRun} could not run)` : ''}`);
  return `${counts.join(', ')}.`;
}

/** An error that several tests have. */
interface SharedError {
  error: Failure;
  testCount: number;
}

/**
 * Returns the errors that several tests have, such as one of the configuration that all of them test, so that the report of `trueup test`
 * shows each once with the number of tests. The keys are `failureIdentity` of the errors.
 */
function findSharedErrors(files: readonly FileResult[]): Map<string, SharedError> {
  const tests = files.flatMap((file) => file.tests);
  const errors = tests.flatMap(({ failures }) => uniqueErrors(failures));
  const groups = groupBy(errors, failureIdentity);
  return new Map(
    [...groups]
      .filter(([, repetitions]) => repetitions.length > 1)
      .map(([identity, repetitions]) => [
        identity,
        { error: repetitions[0]!, testCount: repetitions.length },
      ]),
  );
}

/** Returns the errors among the failures of one test, each once, so that a repetition within one test does not count as two tests. */
const uniqueErrors = (failures: readonly Failure[]): Failure[] => [
  ...new Map(failures.filter(isErrorFailure).map((failure) => [failureIdentity(failure), failure])).values(),
];

/** Returns a text that is equal for the same failure of several tests. */
const failureIdentity = ({ code, message, at, assertion }: Failure): string =>
  JSON.stringify([code, message, at?.file, at?.line, at?.column, assertion]);

/**
 * Formats an error that several tests share, such as one of their configuration, with the number of these tests, for the report of `trueup
 * test`.
 */
const sharedErrorText = ({ error, testCount }: SharedError, style: Style): string =>
  [
    ...diagnosticLines(failureDiagnostic(error), style),
    `${testCount} tests failed because of this error.`,
  ].join('\n');

/**
 * Formats one test for the report of `trueup test`: its state, its name, and its failures. Errors that several tests share are printed
 * above all tests, so they are only mentioned here.
 */
function testLines(test: TestResult, style: Style, sharedErrors: ReadonlyMap<string, SharedError>): string[] {
  const name = cleanLine(test.name);
  if (isPassed(test)) return [`  ${style.add('passed')}  ${name}`];
  const ownFailures = test.failures.filter((failure) => !sharedErrors.has(failureIdentity(failure)));
  const sharedReason = ownFailures.length < test.failures.length ? ': an error above' : '';
  const reason = isNotRun(test) ? ': could not run' : sharedReason;
  return [
    `  ${style.alarm('failed')}  ${name}${reason}`,
    ...ownFailures.flatMap((failure) =>
      diagnosticLines(failureDiagnostic(failure), style).map((line) => `    ${line}`),
    ),
  ];
}
