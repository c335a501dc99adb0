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
  milliseconds: number;
}

/** The results of the tests of one file, in the order of the file. */
export interface FileResult {
  /** The path of the file, relative to the working directory. */
  file: string;
  tests: TestResult[];
}

/** True if everything was as the test expects. */
export const isPassed = ({ failures }: Pick<TestResult, 'failures'>): boolean => failures.length === 0;

/** Returns how many tests passed and failed. */
export function countResults(files: readonly FileResult[]): { passed: number; failed: number } {
  const tests = files.flatMap((file) => file.tests);
  const passed = tests.filter(isPassed).length;
  return { passed, failed: tests.length - passed };
}
