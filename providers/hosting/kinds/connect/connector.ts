import * as z from 'zod';
import {
  type ApiObject,
  createOnly,
  defineKind,
  type Fields,
  immutable,
  openEnum,
  readMayLack,
  type Step,
  secret,
  setOf,
  writeOnly,
} from '#kind';

const types =
  'api-key discord github linear linq microsoft-entra oauth photon salesforce sendblue slack snowflake snowflake-wif';

/**
 * Describes the settings of a connector, of all connector types together. Lists the settings that hold a secret or
 * cannot be changed; others pass unchecked.
 */
const data = () =>
  z
    .object({
      clientSecret: secret(z.string()).optional().describe('The secret of an OAuth client or app.'),
      privateKeyPem: secret(z.string()).optional().describe('The private key of a GitHub app, as PEM.'),
      webhookSecret: secret(z.string()).optional().describe('The signing secret of webhooks.'),
      signingSecret: secret(z.string()).optional().describe('The signing secret of Slack.'),
      verificationToken: secret(z.string()).optional().describe("Slack's legacy webhook token."),
      consumerSecret: secret(z.string()).optional().describe('The secret of a Salesforce app.'),
      apiSecretKey: secret(z.string()).optional().describe('The secret key of Sendblue.'),
      projectSecret: secret(z.string()).optional().describe('The secret of a Photon project.'),
      apiToken: secret(z.string()).optional().describe('The token of Linq.'),
      projectId: createOnly(z.string()).optional().describe('The project at Photon.'),
      subjectType: createOnly(openEnum(['app', 'user']))
        .optional()
        .describe("Whether an `api-key` connector has its own keys or each user's."),
      serviceUrls: createOnly(z.array(z.string()))
        .optional()
        .describe('Where the keys of an `api-key` connector are valid.'),
      values: createOnly(
        z.array(
          z.strictObject({
            value: secret(z.string()).describe('The key.'),
            scope: z.string().optional().describe('The scope that it is valid for.'),
            expiresAt: z.number().optional().describe('When it expires, in milliseconds since 1970.'),
          }),
        ),
      )
        .optional()
        .describe('The initial keys of an `api-key` connector; add later ones in the dashboard.'),
    })
    .catchall(z.any());

/**
 * Returns the body of an update with only the changed members of `data`, because some members cannot be written
 * again. The members cannot be read back.
 */
function changed({ fields, body }: Step): ApiObject {
  if (!body.data) return body;
  const isChanged = (name: string) =>
    fields.some(({ path }) => path === `data.${name.replaceAll('.', '\\.')}`);
  return {
    ...body,
    data: Object.fromEntries(Object.entries(body.data).filter(([name]) => isChanged(name))),
  };
}

/** Access to an outside service, with credentials that the platform keeps. */
export const connector = defineKind({
  name: 'connector',
  doc: 'Access to an external service (Slack, GitHub, any OAuth server or API): deployments get its tokens, the platform keeps its credentials.',
  section: 'connectors',
  key: ['uid'],
  // What people granted it is lost with it.
  lifecycle: { replace: 'never', container: true },
  usual: { triggers: false },
  fields: () => ({
    uid: z
      .string()
      .regex(/^[^\s%#\p{Cc}]+$/u)
      .describe('The name that code uses for it, such as `slack/my-bot`.'),
    name: z
      .string()
      .regex(/^[^\s\p{Cc}]([^\p{Cc}]*[^\s\p{Cc}])?$/u)
      .describe('Its display name.'),
    type: immutable(openEnum(types.split(' ')))
      .optional()
      .describe('The type of service, with its settings in `data`. The alternative is `connectionMethod`.'),
    service: createOnly(z.string().min(1)).optional().describe('The service, by short name or URL.'),
    connectionMethod: readMayLack(immutable(z.string().min(1)))
      .optional()
      .describe('How to connect to the `service`, as known to the platform; `data` has the credentials.'),
    target: readMayLack(immutable(z.string().min(1)))
      .optional()
      .describe('The part of the service it is for, if its `connectionMethod` has several.'),
    params: createOnly(z.record(z.string(), z.string()))
      .optional()
      .describe('Input of the `connectionMethod` at creation.'),
    data: writeOnly(data())
      .optional()
      .describe(
        'Its settings at the service: `clientId`, `clientSecret`, `serverUrl` and others, as the API of the platform names them. They are never read back.',
      ),
    icon: readMayLack(z.string().regex(/^[0-9a-f]{40}$/))
      .optional()
      .describe('The SHA-1 digest of an image uploaded as a file.'),
    backgroundColor: readMayLack(z.string())
      .optional()
      .describe('The background colour of the icon, such as `#000000`.'),
    accentColor: readMayLack(z.string()).optional().describe('The accent colour, such as `#ffffff`.'),
    triggers: z.boolean().optional().describe('Whether the service sends events.'),
    events: readMayLack(setOf(z.string().min(1)))
      .optional()
      .describe('The events it sends, as named by the service.'),
  }),
  example: `secrets: { slack: { env: SLACK_SECRET } }
connectors:
  slack/my-bot:
    name: My bot
    type: slack
    triggers: true
    data: { appId: A0123, appName: My bot, clientId: "1234.5678", clientSecret: "\${secret.slack}" }`,
  rules: {
    check: ({ type, service, connectionMethod }) =>
      type !== undefined || (service !== undefined && connectionMethod !== undefined)
        ? []
        : [
            {
              path: ['type'],
              message: 'a connector needs a `type`, or a `service` and a `connectionMethod`',
            },
          ],
    grade: ({ action, fields }) =>
      action === 'update' && fields.some(({ path }) => path === 'uid')
        ? { grade: 'disruptive', reason: 'code that uses its old `uid` no longer finds it' }
        : action === 'update' && fields.some(({ path }) => path.startsWith('data.'))
          ? { grade: 'disruptive', reason: 'users may have to authorize or install it again' }
          : undefined,
  },
  read: {
    endpoint: 'GET /v2/connect/connectors',
    items: 'connectors',
    single: { endpoint: 'GET /v1/connect/connectors/{id}' },
  },
  // `triggers` is only there while they are on, and `service` is what the platform makes of it.
  decode: ({ service: _, ...found }) => {
    const triggers = (found.triggers as ApiObject | undefined)?.enabled === true;
    return { ...found, triggers } as unknown as Fields;
  },
  create: { endpoint: 'POST /v1/connect/connectors', body: ({ body }) => ({ data: {}, ...body }) },
  update: { endpoint: 'PATCH /v2/connect/connectors/{id}', body: changed },
  delete: 'DELETE /v1/connect/connectors/{id}',
});
