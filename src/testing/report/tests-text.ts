import { diagnosticLines } from '../../report/diagnostics-text.ts';
import { plainly, type Style } from '../../report/style.ts';
import { cleanLine, count } from '../../report/text.ts';
import { countResults, type Failure, type FileResult, isPassed, type TestResult } from '../test-result.ts';
import { failureDiagnostic } from './failure-diagnostics.ts';

/** Formats the results of tests for a terminal: each test with its state, the differences of a failed one, and the counts at the end. */
export function testsText(files: readonly FileResult[], style: Style): string {
  const { passed, failed } = countResults(files);
  const summary = [`${count(passed + failed, 'test')} in ${count(files.length, 'file')}`, `${passed} passed`];
  if (failed > 0) summary.push(`${failed} failed`);
  const blocks = files.map(({ file, tests }) =>
    [style.strong(cleanLine(file)), ...fileLines(tests, style)].join('\n'),
  );
  return plainly([...blocks, style.strong(`${summary.join(', ')}.`)].join('\n\n'), style);
}

/** Formats the tests of one file. An error that several tests have, such as that of the seed, is explained once. */
function fileLines(tests: readonly TestResult[], style: Style): string[] {
  const explained = new Set<string>();
  return tests.flatMap((test) => {
    const known = new Set(explained);
    for (const failure of test.failures) explained.add(failureIdentity(failure));
    return testLines(test, style, known);
  });
}

/** Returns a text that is equal for the same failure of several tests. */
const failureIdentity = ({ code, message, at, assertion }: Failure): string =>
  JSON.stringify([code, message, at?.file, at?.line, at?.column, assertion]);

/** Formats one test: its state, its name, and its differences if it failed. `known`: the failures that were explained above. */
function testLines(test: TestResult, style: Style, known: ReadonlySet<string>): string[] {
  const name = cleanLine(test.name);
  if (isPassed(test)) return [`  ${style.add('passed')}  ${name}`];
  const [repeated, others] = [true, false].map((isKnown) =>
    test.failures.filter((failure) => known.has(failureIdentity(failure)) === isKnown),
  ) as [Failure[], Failure[]];
  return [
    `  ${style.alarm('failed')}  ${name}`,
    ...repeated.map(({ code }) => `    The same error as above ${style.quiet(`[${cleanLine(code)}]`)}`),
    ...others.flatMap((failure) =>
      diagnosticLines(failureDiagnostic(failure), style).map((line) => `    ${line}`),
    ),
  ];
}
