import type { Diagnostic, Position } from '../model/diagnostic.ts';

/** One difference between a test and what happened, as plain data for reports. */
export interface Failure
  extends Pick<Diagnostic, 'code' | 'message' | 'hint' | 'at' | 'address' | 'related'> {
  /** The member of `expect` that does not hold; absent for an error that the test does not expect. */
  assertion?: string;
  expected?: string;
  actual?: string;
}

/** The result of one test. */
export interface TestResult {
  name: string;
  at: Position;
  /** Empty if the test passed. */
  failures: Failure[];
  /** False if an error, such as a mistake in the configuration, prevented the plan that most expectations are about. */
  isPlanned: boolean;
  milliseconds: number;
}

/** The results of the tests of one file, in the order of the file. */
export interface FileResult {
  /** The path of the file, relative to the working directory. */
  file: string;
  tests: TestResult[];
}

/** True if a test passed. */
export const isPassed = ({ failures }: Pick<TestResult, 'failures'>): boolean => failures.length === 0;

/** True for an error that the test does not expect; false for an assertion that does not hold. */
export const isErrorFailure = ({ assertion }: Failure): boolean => assertion === undefined;

/** True if an error that the test does not expect prevented the plan, so that nothing was tested. */
export const isNotRun = ({ isPlanned, failures }: TestResult): boolean =>
  !isPlanned && failures.some(isErrorFailure);

/** Counts the tests that passed and failed, for the end of each report. `notRun`: how many of the failed ones could not run. */
export function countResults(files: readonly FileResult[]): {
  passed: number;
  failed: number;
  notRun: number;
} {
  const tests = files.flatMap((file) => file.tests);
  const passed = tests.filter(isPassed).length;
  return { passed, failed: tests.length - passed, notRun: tests.filter(isNotRun).length };
}
