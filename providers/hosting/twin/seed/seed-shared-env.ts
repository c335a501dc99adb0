import * as z from 'zod';
import { createSharedEnvBody } from '../env/shared-env-body.ts';
import { addSharedEnvVar, sharedEnvVars } from '../env/shared-env-changes.ts';
import { type Loading, making, ownerOf, projectIdsOf } from './seed-loading.ts';

/** A shared variable as a seed has it: projects by their names; for all targets that its type allows if none is given. */
export const seedSharedEnvVar = createSharedEnvBody
  .omit({ evs: true, projectId: true })
  .extend(createSharedEnvBody.shape.evs.element.shape)
  .extend({
    id: z.string().optional(),
    owner: z.string().optional(),
    type: z.enum(['encrypted', 'sensitive', 'plain', 'system']).optional(),
    projects: z.array(z.string()).optional(),
    deleted: z.boolean().optional(),
  });

/** Adds a seed's shared variable. */
export function loadSharedEnvVar(loading: Loading, seed: z.infer<typeof seedSharedEnvVar>): void {
  const {
    id,
    owner: ownerName,
    type = 'encrypted',
    projects = [],
    key,
    value,
    comment,
    deleted,
    ...rest
  } = seed;
  const owner = ownerOf(loading, ownerName);
  const one = { key, value, ...(comment === undefined ? {} : { comment }) };
  const guarded: ('production' | 'preview')[] = ['production', 'preview'];
  const written = type === 'sensitive' ? type : 'encrypted';
  // The team's policy is not applied: it may be younger than the variables.
  const make = { ...making(loading, owner), owner: { id: owner.id } };
  const [row] = sharedEnvVars(make, {
    target: written === 'sensitive' ? guarded : [...guarded, 'development'],
    ...rest,
    type: written,
    evs: [one],
    projectId: projectIdsOf(loading, owner, projects),
  });
  const end = deleted ? { deletedAt: make.time() } : {};
  addSharedEnvVar(make, { ...row!, type, ...(id === undefined ? {} : { id }), ...end });
}
