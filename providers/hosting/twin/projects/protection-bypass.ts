import * as z from 'zod';
import type { Project } from '../account.ts';
import type { Bodies, Call, Handlers } from '../call.ts';
import { ApiError, notFound } from '../errors.ts';
import { parseBody } from '../validate.ts';
import { findProject } from './project-state.ts';

/** What a project keeps under a bypass secret. An integration's own cannot be written here. */
export type ProtectionBypass =
  | { scope: 'automation-bypass'; createdAt: number; createdBy: string; isEnvVar: boolean; note?: string }
  | {
      scope: 'integration-automation-bypass';
      createdAt: number;
      createdBy: string;
      integrationId: string;
      configurationId: string;
    };
type Automation = Extract<ProtectionBypass, { scope: 'automation-bypass' }>;
type Bypasses = Record<string, ProtectionBypass>;
type Making = Pick<Call, 'account' | 'id' | 'switches' | 'time'>;

// The rules for both are the Terraform provider's.
const secret = z.string().regex(/^[a-zA-Z0-9]{32}$/, 'should have 32 letters and digits');
const note = z.string().max(100, 'should NOT have more than 100 characters');

const bypassBody = z.strictObject({
  revoke: z.strictObject({ secret: z.string(), regenerate: z.boolean() }).optional(),
  generate: z.strictObject({ secret: secret.optional(), note: note.optional() }).optional(),
  update: z
    .strictObject({ secret: z.string(), isEnvVar: z.boolean().optional(), note: note.optional() })
    .optional(),
});

const conflict = (message: string) => new ApiError(409, 'conflict', message);

const automations = (bypasses: Bypasses): Automation[] =>
  Object.values(bypasses).filter((one): one is Automation => one.scope === 'automation-bypass');

function find(bypasses: Bypasses, secret: string): Automation {
  const found = Object.hasOwn(bypasses, secret) ? bypasses[secret] : undefined;
  if (found?.scope !== 'automation-bypass') throw notFound('The automation bypass');
  return found;
}

const hasNote = (note: string | undefined, { switches }: Pick<Call, 'switches'>): note is string =>
  note !== undefined && (note !== '' || switches.bypassEmptyNoteReadable);

/** Adds a bypass; exactly one is the value of the environment variable, so the first one has to be. */
export function generateBypass(
  making: Making,
  bypasses: Bypasses,
  given: { secret?: string | undefined; note?: string | undefined },
): Automation {
  const key = given.secret ?? making.id('', 32);
  if (Object.hasOwn(bypasses, key)) throw conflict('This secret is in use already.');
  const added: Automation = {
    scope: 'automation-bypass',
    createdAt: making.time(),
    createdBy: making.account.user.id,
    isEnvVar: automations(bypasses).length === 0,
    ...(hasNote(given.note, making) ? { note: given.note } : {}),
  };
  bypasses[key] = added;
  return added;
}

/** Makes one bypass the environment variable's, and demotes the one that was. */
export function promoteBypass(bypasses: Bypasses, bypass: Automation): void {
  for (const one of automations(bypasses)) one.isEnvVar = one === bypass;
}

function revoke(
  call: Call,
  bypasses: Bypasses,
  { secret, regenerate }: { secret: string; regenerate: boolean },
) {
  const { isEnvVar, note } = find(bypasses, secret);
  if (isEnvVar && !regenerate && automations(bypasses).length > 1) {
    throw conflict('This bypass is the environment variable of the project: select another one first.');
  }
  delete bypasses[secret];
  if (!regenerate) return;
  const fresh = generateBypass(call, bypasses, { note });
  if (isEnvVar) promoteBypass(bypasses, fresh);
}

function change(call: Call, bypasses: Bypasses, body: z.infer<typeof bypassBody>): void {
  // No command at all asks for a random secret. Which one goes first when there are several is not documented.
  if (body.revoke !== undefined) revoke(call, bypasses, body.revoke);
  if (body.generate !== undefined || (!body.revoke && !body.update)) {
    generateBypass(call, bypasses, body.generate ?? {});
  }
  if (body.update === undefined) return;
  const bypass = find(bypasses, body.update.secret);
  if (body.update.isEnvVar === true) promoteBypass(bypasses, bypass);
  else if (body.update.isEnvVar === false && bypass.isEnvVar) {
    throw conflict(
      'One bypass has to be the environment variable of the project: select another one for it.',
    );
  }
  if (body.update.note === undefined) return;
  if (hasNote(body.update.note, call)) bypass.note = body.update.note;
  else delete bypass.note;
}

function update(call: Call): unknown {
  const project: Project = findProject(call);
  const body = parseBody(bypassBody, call.body, call.outside);
  // On a copy: a refused command leaves nothing behind of those before it.
  const bypasses = structuredClone(project.protectionBypass ?? {});
  change(call, bypasses, body);
  project.protectionBypass = bypasses;
  return { protectionBypass: readBypasses(call, bypasses) };
}

/** Bypasses as answers show them. */
export function readBypasses({ switches }: Pick<Call, 'switches'>, bypasses: Bypasses): object {
  if (!switches.bypassDefaultUnsaid) return bypasses;
  const read = Object.entries(bypasses).map(([secret, bypass]) => {
    if (bypass.scope !== 'automation-bypass' || !bypass.isEnvVar) return [secret, bypass];
    const { isEnvVar: _default, ...unsaid } = bypass;
    return [secret, unsaid];
  });
  return Object.fromEntries(read);
}

/** Automation bypasses of a project's protection: commands here, readable only as a map in the project. */
export const protectionBypassHandlers: Handlers = { updateProjectProtectionBypass: update };

export const protectionBypassBodies: Bodies = { updateProjectProtectionBypass: bypassBody };
