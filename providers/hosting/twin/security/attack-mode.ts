import * as z from 'zod';
import type { Project } from '../account.ts';
import type { Call } from '../call.ts';
import { badRequest } from '../errors.ts';
import { projectById } from '../find-project.ts';
import { inEveryProject } from '../kept.ts';
import { operation, type Resource } from '../resource.ts';

/** A project's attack mode as it was last written. Times are in epoch milliseconds. */
export interface AttackMode {
  enabled: boolean;
  activeUntil: number | null;
  updatedAt: number;
}

declare module '../account.ts' {
  interface ProjectParts {
    attackMode: AttackMode | null;
  }
  interface ProjectSeed {
    /** Switches the attack mode on until `activeUntil`, in epoch milliseconds. */
    attackMode?: z.input<typeof seed>;
  }
}

// The SDK has a shape with a deadline and one without. The Terraform provider sends null where it has none.
const attackModeBody = z.strictObject({
  projectId: z.string(),
  attackModeEnabled: z.boolean(),
  attackModeActiveUntil: z.number().nullable().optional(),
});

/** Switches a project's attack mode on or off; throws 400 for a deadline that it cannot have. */
function update(call: Call, body: z.infer<typeof attackModeBody>): unknown {
  const project = projectById(call, body.projectId);
  const activeUntil = body.attackModeEnabled ? (body.attackModeActiveUntil ?? null) : null;
  if (body.attackModeEnabled && activeUntil === null && call.switches.attackModeNeedsDeadline) {
    throw badRequest('Invalid request: `attackModeActiveUntil` is needed to enable the attack mode.');
  }
  if (activeUntil !== null && activeUntil <= call.now()) {
    throw badRequest('Invalid request: `attackModeActiveUntil` should be in the future.');
  }
  const updatedAt = call.time();
  project.attackMode = { enabled: body.attackModeEnabled, activeUntil, updatedAt };
  return { attackModeEnabled: body.attackModeEnabled, attackModeUpdatedAt: updatedAt };
}

/** Returns the members of a project's `security` about its attack mode; none until it is first written. */
export function readAttackMode(call: Call, project: Project): Record<string, unknown> {
  const { attackMode } = project;
  if (attackMode === null) return {};
  const { enabled, activeUntil, updatedAt } = attackMode;
  const expired = activeUntil !== null && activeUntil <= call.now();
  const off = expired && !call.switches.attackModeExpiredReadable;
  return {
    attackModeEnabled: enabled && !off,
    attackModeActiveUntil: off ? null : activeUntil,
    attackModeUpdatedAt: updatedAt,
  };
}

const seed = z.strictObject({ activeUntil: z.number() });

/** A project's attack mode. This operation switches it; only reads of the project show it. It ends at its deadline. */
export const attackMode: Resource = {
  ...inEveryProject('attackMode', null, seed, (making, { activeUntil }, project) => {
    project.attackMode = { enabled: true, activeUntil, updatedAt: making.time() };
  }),
  operations: {
    updateAttackChallengeMode: operation({ body: attackModeBody, statuses: [200, 404] }, (call, _, body) =>
      update(call, body),
    ),
  },
};
