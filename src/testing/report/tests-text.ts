import { diagnosticLines } from '../../report/diagnostics-text.ts';
import { plainly, type Style } from '../../report/style.ts';
import { cleanLine, count } from '../../report/text.ts';
import { countResults, type FileResult, isPassed, type TestResult } from '../test-result.ts';
import { failureDiagnostic } from './failure-diagnostics.ts';

/** Formats the results of tests for a terminal: each test with its state, the differences of a failed one, and the counts at the end. */
export function testsText(files: readonly FileResult[], style: Style): string {
  const { passed, failed } = countResults(files);
  const summary = [`${count(passed + failed, 'test')} in ${count(files.length, 'file')}`, `${passed} passed`];
  if (failed > 0) summary.push(`${failed} failed`);
  const blocks = files.map(({ file, tests }) =>
    [style.strong(cleanLine(file)), ...tests.flatMap((test) => testLines(test, style))].join('\n'),
  );
  return plainly([...blocks, style.strong(`${summary.join(', ')}.`)].join('\n\n'), style);
}

/** Formats one test: its state, its name, and its differences if it failed. */
function testLines(test: TestResult, style: Style): string[] {
  const name = cleanLine(test.name);
  if (isPassed(test)) return [`  ${style.add('passed')}  ${name}`];
  return [
    `  ${style.alarm('failed')}  ${name}`,
    ...test.failures.flatMap((failure) =>
      diagnosticLines(failureDiagnostic(failure), style).map((line) => `    ${line}`),
    ),
  ];
}
