import * as z from 'zod';
import type { Project } from '../account.ts';
import type { Bodies, Call, Handlers } from '../call.ts';
import { badRequest } from '../errors.ts';
import { projectById } from '../projects/project-by-id.ts';
import { parseBody } from '../validate.ts';

/** The last thing that was written about a project's attack mode; times are epoch milliseconds. */
export interface AttackMode {
  enabled: boolean;
  activeUntil: number | null;
  updatedAt: number;
}

// The SDK has a shape with a deadline and one without. The Terraform provider sends null where it has none.
const attackModeBody = z.strictObject({
  projectId: z.string(),
  attackModeEnabled: z.boolean(),
  attackModeActiveUntil: z.number().nullable().optional(),
});

function update(call: Call): unknown {
  const body = parseBody(attackModeBody, call.body, call.outside);
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

/** What a project's `security` says about its attack mode: nothing until it was written once. */
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

/** A project's attack mode: written here, read only in the project. It ends by itself at its deadline. */
export const attackModeHandlers: Handlers = { updateAttackChallengeMode: update };

export const attackModeBodies: Bodies = { updateAttackChallengeMode: attackModeBody };
