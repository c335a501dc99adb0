import * as z from 'zod';
import type { Project } from '../account.ts';
import type { Making } from '../call.ts';
import { badRequest, conflict, notFound } from '../errors.ts';
import { projectOfPath } from '../find-project.ts';
import { operation, type Resource, seedList } from '../resource.ts';

/** A bypass of a project's protection, stored under its secret. Bypasses of integrations cannot be written here. */
export type ProtectionBypass =
  | { scope: 'automation-bypass'; createdAt: number; createdBy: string; isEnvVar: boolean; note?: string }
  | {
      scope: 'integration-automation-bypass';
      createdAt: number;
      createdBy: string;
      integrationId: string;
      configurationId: string;
    };
declare module '../account.ts' {
  interface ProjectParts {
    /** By secret; not there before the first bypass. */
    protectionBypass?: Record<string, ProtectionBypass>;
  }
  interface ProjectSeed extends Seeds<'protectionBypasses', typeof seed> {}
}

type Automation = Extract<ProtectionBypass, { scope: 'automation-bypass' }>;
type Bypasses = Record<string, ProtectionBypass>;

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

const automations = (bypasses: Bypasses): Automation[] =>
  Object.values(bypasses).filter((bypass): bypass is Automation => bypass.scope === 'automation-bypass');

/** Returns the automation bypass with this secret, or throws 404. */
function find(bypasses: Bypasses, secret: string): Automation {
  const protectionBypass = Object.hasOwn(bypasses, secret) ? bypasses[secret] : undefined;
  if (protectionBypass?.scope !== 'automation-bypass') throw notFound('The automation bypass');
  return protectionBypass;
}

const hasNote = (note: string | undefined, { switches }: Making): note is string =>
  note !== undefined && (note !== '' || switches.bypassEmptyNoteReadable);

/**
 * Adds a bypass and returns it. Exactly one bypass is the value of the environment variable, so the first one becomes that. Throws 409 for
 * a used secret.
 */
function generate(
  making: Making,
  bypasses: Bypasses,
  content: { secret?: string | undefined; note?: string | undefined },
): Automation {
  const key = content.secret ?? making.id('', 32);
  if (Object.hasOwn(bypasses, key)) throw conflict('This secret is in use already.');
  const added: Automation = {
    scope: 'automation-bypass',
    createdAt: making.time(),
    createdBy: making.account.user.id,
    isEnvVar: automations(bypasses).length === 0,
    ...(hasNote(content.note, making) ? { note: content.note } : {}),
  };
  bypasses[key] = added;
  return added;
}

/** Makes a bypass the value of the environment variable, instead of the present one. */
function promote(bypasses: Bypasses, bypass: Automation): void {
  for (const automation of automations(bypasses)) automation.isEnvVar = automation === bypass;
}

/**
 * Revokes a bypass; with `regenerate`, replaces it by one with another secret. Throws 400 for the value of the environment variable while
 * there are other bypasses, according to a test of the Terraform provider.
 */
function revoke(
  making: Making,
  bypasses: Bypasses,
  { secret, regenerate }: { secret: string; regenerate: boolean },
) {
  const { isEnvVar, note } = find(bypasses, secret);
  if (isEnvVar && !regenerate && automations(bypasses).length > 1) {
    throw badRequest('This bypass is the environment variable of the project: select another one first.');
  }
  delete bypasses[secret];
  if (!regenerate) return;
  const fresh = generate(making, bypasses, { note });
  if (isEnvVar) promote(bypasses, fresh);
}

/** Applies the commands of a PATCH: revoke, generate and update. */
function change(making: Making, bypasses: Bypasses, body: z.infer<typeof bypassBody>): void {
  // A body without a command generates a bypass with a random secret. The order of several commands is not documented.
  if (body.revoke !== undefined) revoke(making, bypasses, body.revoke);
  if (body.generate !== undefined || (!body.revoke && !body.update)) {
    generate(making, bypasses, body.generate ?? {});
  }
  if (body.update === undefined) return;
  const bypass = find(bypasses, body.update.secret);
  if (body.update.isEnvVar === true) promote(bypasses, bypass);
  else if (body.update.isEnvVar === false && bypass.isEnvVar) {
    throw conflict(
      'One bypass has to be the environment variable of the project: select another one for it.',
    );
  }
  if (body.update.note === undefined) return;
  if (hasNote(body.update.note, making)) bypass.note = body.update.note;
  else delete bypass.note;
}

/** Returns bypasses as answers show them. */
export function readBypasses({ switches }: Pick<Making, 'switches'>, bypasses: Bypasses): object {
  if (!switches.bypassDefaultUnsaid) return bypasses;
  const read = Object.entries(bypasses).map(([secret, bypass]) => {
    if (bypass.scope !== 'automation-bypass' || !bypass.isEnvVar) return [secret, bypass];
    const { isEnvVar: _default, ...unsaid } = bypass;
    return [secret, unsaid];
  });
  return Object.fromEntries(read);
}

const seed = z.strictObject({
  secret: z.string().optional(),
  note: z.string().optional(),
  isEnvVar: z.boolean().optional(),
  /** Either of these makes it an integration's own bypass, without note and isEnvVar. */
  integrationId: z.string().optional(),
  configurationId: z.string().optional(),
});

/** Adds a bypass of a seed: one of a user, or an integration's own. */
function load(making: Making, seeded: z.infer<typeof seed>, project: Project): void {
  project.protectionBypass ??= {};
  const bypasses = project.protectionBypass;
  const { secret, note, isEnvVar, integrationId, configurationId } = seeded;
  if (integrationId === undefined && configurationId === undefined) {
    const added = generate(making, bypasses, { secret, note });
    if (isEnvVar === true) promote(bypasses, added);
    return;
  }
  bypasses[secret ?? making.id('', 32)] = {
    scope: 'integration-automation-bypass',
    createdAt: making.time(),
    createdBy: making.account.user.id,
    integrationId: integrationId ?? making.id('oac_'),
    configurationId: configurationId ?? making.id('icfg_'),
  };
}

/** Automation bypasses of a project's protection. They are changed by commands; only reads of the project show them, as a map. */
export const protectionBypass: Resource = {
  keeps: { project: { protectionBypass: undefined } },
  operations: {
    updateProjectProtectionBypass: operation(
      { on: projectOfPath, body: bypassBody, statuses: [200, 409] },
      (call, project, body) => {
        // On a copy: a refused command leaves nothing behind of those before it.
        const bypasses = structuredClone(project.protectionBypass ?? {});
        change(call, bypasses, body);
        project.protectionBypass = bypasses;
        return { protectionBypass: readBypasses(call, bypasses) };
      },
    ),
  },
  seed: { project: { protectionBypasses: seedList(seed, load) } },
};
