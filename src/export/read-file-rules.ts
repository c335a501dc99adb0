import { posix } from 'node:path';
import { type Diagnostic, problem, throwIfAny } from '../model/diagnostic.ts';
import { createAddressMatcher } from '../model/glob.ts';
import type { FileRule } from './block-sources.ts';
import type { ExportPlaces } from './export-places.ts';

/** Parses the values `GLOB=FILE` of `--by`, which put matching objects into files of their own. Throws `Problems` for all invalid ones. */
export function readFileRules({ by = [], out, outDir }: ExportPlaces & { by?: string[] }): FileRule[] {
  const problems: Diagnostic[] = [];
  const report = (message: string, hint: string) => problems.push(problem('export/by', message, { hint }));
  if (by.length > 0 && out === undefined && outDir === undefined)
    report(
      '--by writes several files and needs somewhere to put them',
      'pass --out FILE or --out-dir FOLDER',
    );
  const mainFile = out === undefined ? 'trueup.yaml' : posix.basename(out.replaceAll('\\', '/'));
  const rules = by.map((rule) => {
    const index = rule.lastIndexOf('=');
    const glob = rule.slice(0, index);
    const file = posix.normalize(rule.slice(index + 1));
    if (index < 1) report(`--by ${rule} names no file`, "--by 'projects/site-*=web.yaml'");
    else if (posix.isAbsolute(file) || file.startsWith('..') || !/[^/]\.ya?ml$/i.test(file))
      report(
        `--by ${rule}: ${file} is not a YAML file next to the main one`,
        'use a path ending in .yaml, relative to the folder of the main file',
      );
    else if (file === mainFile)
      report(`--by ${rule}: ${file} is the main file`, 'objects that match no --by go there');
    return { file, appliesTo: createAddressMatcher([glob]) };
  });
  throwIfAny(problems);
  return rules;
}
