import { posix } from 'node:path';
import type { FileRule } from '../export/parts-of.ts';
import { matcherOf } from '../model/address-glob.ts';
import { type Diagnostic, Problems, problem } from '../model/diagnostic.ts';
import type { ExportPlaces } from './write-export.ts';

/** Reads `--by GLOB=FILE`. Throws `Problems`. */
export function readFileRules({ by = [], out, outDir }: ExportPlaces & { by?: string[] }): FileRule[] {
  const problems: Diagnostic[] = [];
  const say = (message: string, hint: string) => problems.push(problem('export/by', message, { hint }));
  if (by.length > 0 && out === undefined && outDir === undefined)
    say('--by writes several files and needs somewhere to put them', 'pass --out FILE or --out-dir FOLDER');
  const main = out === undefined ? 'trueup.yaml' : posix.basename(out.replaceAll('\\', '/'));
  const rules = by.map((rule) => {
    const at = rule.lastIndexOf('=');
    const [glob, file] = [rule.slice(0, at), posix.normalize(rule.slice(at + 1))];
    if (at < 1) say(`--by ${rule} names no file`, "--by 'projects/site-*=web.yaml'");
    else if (posix.isAbsolute(file) || file.startsWith('..') || !/[^/]\.ya?ml$/i.test(file))
      say(
        `--by ${rule}: ${file} is not a YAML file next to the main one`,
        'use a path ending in .yaml, relative to the folder of the main file',
      );
    else if (file === main)
      say(`--by ${rule}: ${file} is the main file`, 'whatever no --by matches goes there');
    return { file, isMeant: matcherOf([glob]) };
  });
  if (problems.length > 0) throw new Problems(problems);
  return rules;
}
