import { quoted } from '../config/suggest.ts';
import { originPath } from '../git/origin.ts';
import { Problems, problem } from '../model/diagnostic.ts';
import type { CiOptions } from './ci-repository.ts';
import type { Run } from './host.ts';

/**
 * The path of the project that holds the tool on GitLab: as it was given, else `trueup-ci` beside the one of `origin`. Throws `Problems`
 * where nobody can tell, and for a path that is none.
 */
export async function toolProject(
  top: string,
  { toolProject: given }: CiOptions,
  { host }: Run,
): Promise<string> {
  const origin = given === undefined ? await originPath(top, host.env).catch(() => undefined) : undefined;
  const project = given ?? (origin?.includes('/') ? origin.replace(/[^/]*$/, 'trueup-ci') : undefined);
  if (project === undefined)
    throw new Problems([
      problem(
        'init/tool-project',
        'git does not know the group of this project, so it is unclear where the tool belongs',
        {
          hint: 'name the project for it: --tool-project acme/trueup-ci',
        },
      ),
    ]);
  if (!/^\w[\w.-]*(\/\w[\w.-]*)+$/.test(project))
    throw new Problems([
      problem('init/tool-project', `${quoted(project)} is not a project path`, {
        hint: 'use GROUP/PROJECT with letters, digits, `_`, `.` and `-`: --tool-project acme/trueup-ci',
      }),
    ]);
  return project;
}
