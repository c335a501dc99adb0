import * as z from 'zod';
import type { Project } from '../account.ts';
import type { Call, Making } from '../call.ts';
import { notFound } from '../errors.ts';
import { projectOfPath } from '../find-project.ts';
import { operation, type Resource, seedOne } from '../resource.ts';
import { gitLink, readProject } from './project-state.ts';

/** Returns the Git link of a project. Throws 404 if it has none. */
export function linkOf(project: Project): object {
  if (!project.link) throw notFound('The Git link of the project');
  return project.link;
}

/** Returns an operation that changes the project in the path with `write`, and answers with the project. */
export const writing = <Body extends z.ZodType>(
  body: Body,
  write: (call: Call, project: Project, body: Exclude<z.output<Body>, undefined>) => void,
) =>
  operation({ on: projectOfPath, body }, (call, project, content) => {
    write(call, project, content);
    return readProject(call, project);
  });

const cronsBody = z.strictObject({ enabled: z.boolean() });

declare module '../account.ts' {
  interface ProjectSeed {
    crons?: z.input<typeof cronsBody>;
  }
}

/** Switches a project's cron jobs on or off. If they were never off, nothing is stored: a read without `crons` means that they are on. */
function setCrons(call: Making, project: Project, { enabled }: z.infer<typeof cronsBody>): void {
  if (enabled && !project.crons) return;
  const timestamp = call.time();
  const never = { definitions: [], deploymentId: null, enabledAt: timestamp };
  const crons = { ...never, ...(project.crons as object | undefined) };
  project.crons = { ...crons, disabledAt: enabled ? null : timestamp, updatedAt: timestamp };
}

/**
 * The parts of a project that official clients write by operations of their own: the Git link, and the crons.
 */
export const projectLink: Resource = {
  operations: {},
  clientOperations: {
    'POST /v9/projects/{idOrName}/link': writing(
      z.strictObject({ type: z.string(), repo: z.string() }),
      (call, project, body) => {
        project.link = gitLink(body, call.time());
      },
    ),
    'DELETE /v9/projects/{idOrName}/link': operation({ on: projectOfPath }, (call, project) => {
      delete project.link;
      return readProject(call, project);
    }),
    'PATCH /v9/projects/{idOrName}/branch': writing(
      z.strictObject({ branch: z.string() }),
      (_, project, { branch }) => {
        project.link = { ...linkOf(project), productionBranch: branch };
      },
    ),
    'PATCH /v1/projects/{idOrName}/crons': writing(cronsBody, setCrons),
  },
  seed: {
    project: {
      crons: seedOne(cronsBody, (making, seeded, project: Project) => setCrons(making, project, seeded)),
    },
  },
};
