import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { initRepository } from '../support/init-repository.ts';
import { gitEnv } from '../support/ledger-places.ts';

/** A commit of a line. Its parent is the one before it, unless `parent` names another one. */
export interface ScriptedCommit<Configuration> {
  name: string;
  /** Written to a YAML file, differently in each commit. Absent: the commit changes another file. */
  configuration?: Configuration;
  /** It merges a branch with the change. */
  isMerge?: boolean;
  parent?: string;
}

/**
 * Makes a repository in an empty folder and writes lines of commits to it, each from a root commit of its own, in one git process. Returns
 * the ids by line and by name of the commit. HEAD is on no line.
 */
export function writeHistories<Configuration>(
  folder: string,
  lines: Record<string, ScriptedCommit<Configuration>[]>,
): Record<string, Map<string, string>> {
  initRepository(folder);
  const script: string[] = [];
  let marks = 0;
  const writeCommit = (branch: string, parents: number[], file: string, content: string): number => {
    const mark = ++marks;
    const [parent, merged] = parents;
    script.push(
      `commit refs/heads/${branch}`,
      `mark :${mark}`,
      `committer Ada <ada@example.com> ${mark} +0000`,
      'data 0',
      ...(parent === undefined ? [] : [`from :${parent}`]),
      ...(merged === undefined ? [] : [`merge :${merged}`]),
      `M 644 inline ${file}`,
      `data ${content.length}`,
      content,
    );
    return mark;
  };
  const marksOf = Object.entries(lines).map(([line, commits], index) => {
    const markOf = new Map<string, number>();
    let last: number | undefined;
    for (const { name, configuration, isMerge, parent } of commits) {
      const first = parent === undefined ? last : markOf.get(parent);
      const parents = first === undefined ? [] : [first];
      const file = configuration === undefined ? 'README.md' : 'trueup.yaml';
      const content = `# ${name}\n`;
      if (isMerge) parents.push(writeCommit(`draft-${marks}`, parents, file, content));
      last = writeCommit(`line-${index}`, parents, file, content);
      markOf.set(name, last);
    }
    return [line, markOf] as const;
  });
  const marksFile = join(folder, '.git/marks');
  execFileSync('git', ['fast-import', '--quiet', '--force', `--export-marks=${marksFile}`], {
    cwd: folder,
    env: gitEnv,
    input: `${script.join('\n')}\n`,
  });
  const ids = new Map(
    readFileSync(marksFile, 'utf8')
      .trim()
      .split('\n')
      .map((line) => line.slice(1).split(' ') as [string, string]),
  );
  return Object.fromEntries(
    marksOf.map(([line, markOf]) => [
      line,
      new Map([...markOf].map(([name, mark]) => [name, ids.get(`${mark}`)!])),
    ]),
  );
}
