import { stat } from 'node:fs/promises';
import { type FoundFile, findFile } from '../config/find-files.ts';
import type { Reporter } from '../model/diagnostic.ts';
import { byText } from '../model/graph.ts';
import { pathFrom } from '../paths.ts';
import { listTestFiles } from './list-test-files.ts';

/**
 * Finds the test files at paths that a user names (files, or folders with everything below them), or without paths in the working directory
 * and below it. Sorted by name, each once. Reports paths that do not exist, and if there is no test file at all.
 */
export async function findTestFiles(
  cwd: string,
  paths: readonly string[],
  report: Reporter,
): Promise<FoundFile[]> {
  const files = new Map<string, FoundFile>();
  const errorsBefore = report.diagnostics.length;
  for (const named of paths.length > 0 ? paths : ['.']) {
    const location = await findFile(cwd, named);
    if ('code' in location) report.add(location);
    else if ((await stat(location.path)).isDirectory())
      for (const file of await listTestFiles(location.path))
        files.set(file, { path: file, name: pathFrom(cwd, file) });
    else files.set(location.path, location);
  }
  if (files.size === 0 && report.diagnostics.length === errorsBefore)
    report.error('test/none', `there are no test files in ${paths.join(', ') || 'this folder or below it'}`, {
      hint: newFileHint,
    });
  return [...files.values()].sort((a, b) => byText(a.name, b.name));
}

/** The hint with a first test file. The lines after the first are for that file. */
const newFileHint = `write one beside the configuration, such as shop.test.yaml:
tests:
  - name: applying converges
    apply: true
    expect: { then: no changes }`;
