import * as z from 'zod';
import type { Making, Stamped } from '../call.ts';
import { badRequest } from '../errors.ts';
import { ofOwner } from '../kept.ts';
import { strings } from '../validate.ts';

/** The environments in which a project may use a connector. */
export interface Connection {
  projectId: string;
  enabledEnvironments: string[];
  createdAt: number;
  updatedAt: number;
}

const path = z.string().optional();
/** The deployment that gets the events of a connector: that of a branch, of a custom environment, or the one in production. */
export const destination = z.union([
  z.strictObject({ projectId: z.string(), branch: z.string(), path }),
  z.strictObject({ projectId: z.string(), customEnvironmentId: z.string(), path }),
  z.strictObject({ projectId: z.string(), path }),
]);
export type Destination = z.infer<typeof destination>;

export const json = z.record(z.string(), z.unknown());
export const environments = strings.min(1);

/** The members that both creation and update of a connector take. */
export const written = z.strictObject({
  data: json,
  icon: z
    .string()
    .regex(/^[0-9a-f]{40}$/)
    .optional(),
  backgroundColor: z.string().optional(),
  accentColor: z.string().optional(),
  uid: z.string().optional(),
  name: z.string().optional(),
  // The SDK has a boolean; the command line sends what answers have.
  triggers: z.union([z.boolean(), z.strictObject({ enabled: z.boolean() })]).optional(),
  events: strings.optional(),
});

/** True if triggers are on, in either form of a body. */
const isOn = (triggers: boolean | { enabled: boolean } | undefined) =>
  typeof triggers === 'object' ? triggers.enabled : triggers;

/** A connector. Answers never show its `data`, because it can have secrets. */
export interface Connector extends Omit<z.infer<typeof written>, 'uid' | 'name'>, Stamped {
  ownerId: string;
  uid: string;
  name: string;
  type: string;
  service: string;
  connectionMethod?: string;
  target?: string;
  creationMode: 'manual';
  projects: Connection[];
  triggerDestinations: Destination[];
}

declare module '../account.ts' {
  interface AccountParts extends Keeps<'connectors', Connector> {}
}

/** The connectors of an owner, by their ids or uids. */
export const connectors = ofOwner('connectors', {
  what: 'Connector',
  param: 'connector',
  by: ['id', 'uid'],
  shows(_, { data: _data, ownerId: _ownerId, projects: _projects, triggers, ...shown }) {
    return {
      ...shown,
      displayName: shown.name,
      typeName: shown.type,
      supportedSubjectTypes: ['app', 'user'],
      supportsIcon: 'maybe',
      supportsInstallation: false,
      supportsRevocation: false,
      supportsTriggers: true,
      // Only while they are on.
      ...(isOn(triggers) && { triggers: { enabled: true } }),
    };
  },
});

/** The members of `data` that the creation of a type needs, and those that only the creation can set. */
const rules: Record<string, { needs?: string[]; fixed?: string[] }> = {
  'api-key': { fixed: ['subjectType', 'values', 'serviceUrls'] },
  github: { needs: ['appId', 'appSlug', 'appName', 'clientId'] },
  linear: { needs: ['clientId', 'clientSecret'] },
  linq: { needs: ['apiToken'] },
  oauth: { needs: ['clientId'] },
  photon: { needs: ['projectId', 'projectSecret'], fixed: ['projectId'] },
  salesforce: { needs: ['consumerKey', 'consumerSecret', 'loginHost'] },
  sendblue: { needs: ['apiKeyId', 'apiSecretKey'] },
  slack: { needs: ['appId', 'appName', 'clientId', 'clientSecret'] },
  snowflake: { needs: ['accountIdentifier'], fixed: ['clientName', 'extras'] },
  'snowflake-wif': { fixed: ['clientName', 'extras'] },
};

/** Throws 400 if the settings of a new connector lack a member that its type needs. */
export function checkNew(type: string, data: object): void {
  for (const name of rules[type]?.needs ?? [])
    if (!(name in data)) throw badRequest(`Invalid request: missing required property \`data.${name}\`.`);
}

/** Throws 400 if a change names a setting that only the creation can set. */
export function checkChange({ type }: Connector, data: object): void {
  for (const name of rules[type]?.fixed ?? [])
    if (name in data)
      throw badRequest(`Invalid request: \`data\` should NOT have additional property \`${name}\`.`);
}

/** Connects a project to a connector, or changes in which environments it may use the connector. Returns the connection. */
export function connect(
  making: Making,
  connector: Connector,
  projectId: string,
  environments: string[] = ['development', 'preview', 'production'],
): Connection {
  const timestamp = making.time();
  const enabledEnvironments = [...new Set(environments)];
  const old = connector.projects.find((connection) => connection.projectId === projectId);
  if (old) return Object.assign(old, { enabledEnvironments, updatedAt: timestamp });
  const added = { projectId, enabledEnvironments, createdAt: timestamp, updatedAt: timestamp };
  connector.projects.push(added);
  return added;
}
