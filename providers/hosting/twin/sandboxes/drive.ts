import * as z from 'zod';
import { Answer, type Making, type Stamped, stamped } from '../call.ts';
import { conflict } from '../errors.ts';
import { projectOfBody } from '../find-project.ts';
import { namePrefix } from '../http/list-query.ts';
import { ofQueriedProject } from '../kept.ts';
import { operation, type Resource } from '../resource.ts';

const regions =
  'iad1 sfo1 cle1 cdg1 fra1 arn1 sin1 pdx1 lhr1 icn1 bom1 cpt1 dub1 gru1 hkg1 syd1 yul1 hnd1 kix1'.split(' ');
const described = z.strictObject({
  maxSizeBytes: z.int().min(1).optional(),
  region: z.enum(regions).optional(),
});
const seed = described.extend({ name: z.string(), currentSandboxName: z.string().optional() });

/** A disk of a project, which one sandbox at a time can mount. */
export interface Drive extends Required<z.infer<typeof described>>, Stamped {
  name: string;
  currentSandboxName?: string;
}

declare module '../account.ts' {
  interface ProjectParts extends Keeps<'sandboxDrives', Drive> {}
  interface ProjectSeed extends Seeds<'sandboxDrives', typeof seed> {}
}

/** The default size in bytes on the plan of a team: 1 TiB. */
const usualSize = 2 ** 40;

const make = (making: Making, body: Omit<z.infer<typeof seed>, 'id'>): Drive => ({
  ...{ maxSizeBytes: usualSize, region: 'iad1', ...body },
  ...stamped(making, 'drive_'),
});

const drives = ofQueriedProject('sandboxDrives', {
  ...{ what: 'Drive', param: 'name', by: ['name'], as: 'drive' },
  shows: (_, drive, { id: projectId }) => ({ ...drive, projectId }),
});

/** Drives of sandboxes. A creation with an existing name answers 200 with the existing drive, and changes nothing. */
export const sandboxDrive: Resource = {
  ...drives.kept(seed, make),
  operations: {
    listDrives: drives.pages('drives', {
      cursor: 'cursor',
      where: { namePrefix },
      sorts: ['createdAt', 'name'],
    }),
    getOrCreateDrive: operation(
      {
        on: projectOfBody,
        body: described.extend({ projectId: z.string() }),
        statuses: [200, 201],
      },
      (call, project, { projectId: _, ...body }) => {
        const { name } = call.params;
        const sandboxDrive = project.sandboxDrives.find((drive) => drive.name === name);
        const drive = sandboxDrive ?? drives.add(call, make(call, { name: name!, ...body }), project);
        return new Answer(sandboxDrive ? 200 : 201, drives.answer(call, drive, project));
      },
    ),
    deleteDrive: drives.remove({ statuses: [409], answer: 'itself' }, (_, drive) => {
      if (drive.currentSandboxName !== undefined) throw conflict('A sandbox has the drive mounted.');
    }),
  },
};
