import * as z from 'zod';
import type { Project } from '../account.ts';
import { Answer, type Call, type Making, stamped } from '../call.ts';
import { conflict, notFound } from '../errors.ts';
import { projectById, projectOfQuery, projectQuery } from '../find-project.ts';
import { cursorPage, limitQuery, pageLimit } from '../http/pages.ts';
import { choice, queryChoice, text } from '../http/query.ts';
import { operation, type Resource, seedList } from '../resource.ts';

const regions =
  'iad1 sfo1 cle1 cdg1 fra1 arn1 sin1 pdx1 lhr1 icn1 bom1 cpt1 dub1 gru1 hkg1 syd1 yul1 hnd1 kix1'.split(' ');
const described = z.strictObject({
  maxSizeBytes: z.int().min(1).optional(),
  region: z.enum(regions).optional(),
});
const seed = described.extend({ name: z.string(), currentSandboxName: z.string().optional() });

/** A disk of a project that one sandbox at a time has mounted. */
export interface Drive extends Required<z.infer<typeof described>> {
  id: string;
  name: string;
  currentSandboxName?: string;
  createdAt: number;
  updatedAt: number;
}

declare module '../account.ts' {
  interface ProjectParts {
    sandboxDrives: Drive[];
  }
  interface ProjectSeed {
    sandboxDrives?: z.input<typeof seed>[];
  }
}

/** 1 TiB, the size without one on the plan of a team. */
const usualSize = 2 ** 40;

const make = (making: Making, body: Omit<z.infer<typeof seed>, 'id'>): Drive => ({
  ...{ maxSizeBytes: usualSize, region: 'iad1', ...body },
  ...stamped(making, 'drive_'),
});

const show = (drive: Drive, { id: projectId }: Project) => ({ ...drive, projectId });

const words = ['asc', 'desc'] as const;
const members = ['createdAt', 'name'] as const;

function list(call: Call, project: Project): unknown {
  const prefix = call.query.get('namePrefix') ?? '';
  const isUp = queryChoice(call, 'sortOrder', words) === 'asc';
  const by = queryChoice(call, 'sortBy', members) ?? 'createdAt';
  const wanted = project.sandboxDrives.filter(({ name }) => name.startsWith(prefix));
  const names = wanted.map(({ name }) => name).sort();
  const rank = (one: Drive) => (by === 'name' ? names.indexOf(one.name) + 1 : one.createdAt);
  // The page's cursor counts down.
  const time = (one: Drive) => (isUp ? Number.MAX_SAFE_INTEGER - rank(one) : rank(one));
  const { page, next } = cursorPage(call, wanted, time, { param: 'cursor', size: pageLimit(call) });
  return {
    drives: page.map((one) => show(one, project)),
    pagination: { count: page.length, next },
  };
}

/** Drives of sandboxes. What is asked for by a name that there is answers 200, and changes nothing. */
export const sandboxDrive: Resource = {
  keeps: { project: { sandboxDrives: [] } },
  operations: {
    listDrives: operation(
      {
        on: projectOfQuery,
        query: {
          ...{ ...projectQuery, ...limitQuery, cursor: text, namePrefix: text },
          ...{ sortBy: choice(members), sortOrder: choice(words) },
        },
        list: 'drives',
      },
      list,
    ),
    getOrCreateDrive: operation(
      {
        on: (call) => projectById(call, (call.body as { projectId?: string } | null)?.projectId),
        body: described.extend({ projectId: z.string() }),
        statuses: [200, 201],
      },
      (call, project, { projectId: _, ...body }) => {
        const { name } = call.params;
        const found = project.sandboxDrives.find((one) => one.name === name);
        const drive = found ?? make(call, { name: name!, ...body });
        if (!found) project.sandboxDrives.push(drive);
        return new Answer(found ? 200 : 201, { drive: show(drive, project) });
      },
    ),
    deleteDrive: operation({ on: projectOfQuery, query: projectQuery, statuses: [409] }, (call, project) => {
      const drive = project.sandboxDrives.find(({ name }) => name === call.params.name);
      if (drive === undefined) throw notFound('Drive');
      if (drive.currentSandboxName !== undefined) throw conflict('A sandbox has the drive mounted.');
      project.sandboxDrives.splice(project.sandboxDrives.indexOf(drive), 1);
      return { drive: show(drive, project) };
    }),
  },
  seed: {
    project: {
      sandboxDrives: seedList(seed, (making, given, project: Project) => {
        project.sandboxDrives.push(make(making, given));
      }),
    },
  },
};
