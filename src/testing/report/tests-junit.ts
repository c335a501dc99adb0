/*
 * Formats the results of tests in the JUnit format, which CI systems show beside a pull request. The format is small and has no standard
 * library; the members here are those that GitHub's and GitLab's readers share: testsuites, testsuite, testcase and failure. Jobs also
 * print the file, so a text from a test file, or its name, gets no lines of its own and no commands of a CI system.
 */
import { diagnosticsText } from '../../report/diagnostics-text.ts';
import { styleFor } from '../../report/style.ts';
import { cleanLine } from '../../report/text.ts';
import { type FileResult, isPassed, type TestResult } from '../test-result.ts';
import { failureDiagnostic } from './failure-diagnostics.ts';

const logStyle = styleFor({ color: false, width: 100, isLog: true, unicode: true });

/** Formats the results of `trueup test` as a document in the JUnit format, which CI systems show. */
export function testsJunit(files: readonly FileResult[]): string {
  const tests = files.flatMap((file) => file.tests);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    element('testsuites', { name: 'trueup test', ...totalsOf(tests) }, files.map(suiteElement)),
    '',
  ].join('\n');
}

/** Formats the results of one test file of `trueup test` as a `testsuite` element of the JUnit report, which CI systems show. */
const suiteElement = ({ file, tests }: FileResult): string =>
  element(
    'testsuite',
    { name: file, ...totalsOf(tests) },
    tests.map((test) => caseElement(file, test)),
  );

/**
 * Formats one test as a `testcase` element of the JUnit report of `trueup test`. Its failures are one text, because readers of such reports
 * show only the first `failure` of a test.
 */
function caseElement(file: string, test: TestResult): string {
  const attributes = {
    name: test.name,
    classname: file,
    file,
    line: test.at.line,
    time: secondsOf(test.milliseconds),
  };
  if (isPassed(test)) return element('testcase', attributes);
  const [first] = test.failures;
  const text = diagnosticsText(test.failures.map(failureDiagnostic), { style: logStyle });
  const failureStart = `${openTag('failure', { message: first!.message, type: first!.code })}>`;
  return element('testcase', attributes, [`${failureStart}${escapeXml(text)}</failure>`]);
}

/** Returns the attributes of an element of the JUnit report of `trueup test` that count its tests and failures and add up their time. */
const totalsOf = (tests: readonly TestResult[]): Record<string, string | number> => ({
  tests: tests.length,
  failures: tests.filter((test) => !isPassed(test)).length,
  errors: 0,
  time: secondsOf(tests.reduce((sum, { milliseconds }) => sum + milliseconds, 0)),
});

const secondsOf = (milliseconds: number): string => (milliseconds / 1000).toFixed(3);

/** Formats an element, with its children on lines of their own. */
function element(name: string, attributes: Record<string, string | number>, children: string[] = []): string {
  const start = openTag(name, attributes);
  return children.length === 0 ? `${start}/>` : [`${start}>`, ...children, `</${name}>`].join('\n');
}

/**
 * Formats the start of an element of the JUnit report of `trueup test` with its attributes, without the last `>`, because the element may
 * have content. Each attribute is one line.
 */
function openTag(name: string, attributes: Record<string, string | number>): string {
  const written = Object.entries(attributes).map(
    ([key, value]) => ` ${key}="${escapeXml(cleanLine(String(value)))}"`,
  );
  return `<${name}${written.join('')}`;
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '#': '&#35;',
};

/**
 * Escapes a text for XML, and the beginning of commands such as `##[error]`, which CI systems obey anywhere in a line. Characters that no
 * XML document can contain, such as control characters, become a question mark.
 */
const escapeXml = (text: string): string =>
  text
    .replace(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, '?')
    .replace(/[&<>"]|#(?=#\w*\[)/g, (character) => entities[character]!);
