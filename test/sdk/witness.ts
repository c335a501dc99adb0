import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { VercelCore } from '@vercel/sdk/core.js';
import { HTTPClient } from '@vercel/sdk/lib/http.js';
import * as firewall from '@vercel/sdk/models/updatefirewallconfigop.js';
import { extraOperations } from '../../providers/hosting/extra-operations.ts';
import type { LoggedRequest } from '../../providers/hosting/twin/index.ts';
import { route } from '../../providers/hosting/twin/router.ts';
import { canonicalJson } from '../../src/model/digest.ts';

/*
 * The public SDK as a witness who was not there: every body that the kinds send, for any field of theirs, goes through the
 * SDK's own encoder for that operation, and must come out as it went in. What the SDK refuses, drops or changes is a
 * difference between us and the platform's published schema.
 */

type Body = Record<string, unknown>;

/** Where the SDK is known to be wrong, and why. Each makes a body of ours what the SDK can say; `used` ones must be needed. */
export const exceptions: { operation: string; reason: string; adapt(body: Body): Body }[] = [
  {
    operation: 'updateFirewallConfig',
    reason:
      'types that may be null lost the null: `id` is null or absent where an envelope has none, and so is a value that clears',
    adapt: (body) => Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null)),
  },
  {
    operation: 'createRecord',
    reason: 'the variants of SRV and HTTPS lack `name`; without it every such record would stand at the apex',
    adapt: ({ name, ...body }) => (body.srv || body.https ? body : { name, ...body }),
  },
  {
    operation: 'createProject',
    reason: 'zod defaults in oidcTokenConfig are filled in by the SDK, not by the platform',
    adapt: ({ oidcTokenConfig, ...body }) => ({
      ...body,
      ...(oidcTokenConfig
        ? { oidcTokenConfig: { enabled: true, issuerMode: 'team', ...(oidcTokenConfig as Body) } }
        : {}),
    }),
  },
  {
    operation: 'updateProject',
    reason: 'the usual deployments of a passport are filled in by the SDK',
    adapt: ({ passport, ...body }) => ({
      ...body,
      ...(passport === undefined
        ? {}
        : { passport: passport && { deploymentType: 'all', ...(passport as Body) } }),
    }),
  },
  {
    operation: 'updateProject',
    reason: 'the type of `deploymentPolicy` lost the null that clears it, as its own comment says',
    adapt: ({ deploymentPolicy, ...body }) =>
      deploymentPolicy === null ? body : { ...body, ...(deploymentPolicy ? { deploymentPolicy } : {}) },
  },
  {
    operation: 'patchTeam',
    reason: 'the usual deployments of a passport are filled in by the SDK',
    adapt: ({ defaultPassport, ...body }) => ({
      ...body,
      ...(defaultPassport
        ? { defaultPassport: { deploymentType: 'all', ...(defaultPassport as Body) } }
        : {}),
    }),
  },
  {
    operation: 'createKmsIssuer',
    reason: 'the usual algorithm is filled in by the SDK',
    adapt: (body) => ({ algorithm: 'RS512', ...body }),
  },
  {
    operation: 'createStorageStoresBlob',
    reason: 'the usual access is filled in by the SDK',
    adapt: (body) => ({ access: 'public', ...body }),
  },
  {
    operation: 'createIntegrationStoreDirect',
    reason: 'the usual source is filled in by the SDK',
    adapt: (body) => ({ source: 'marketplace', ...body }),
  },
  {
    operation: 'getOrCreateDrive',
    reason: 'the usual region is filled in by the SDK',
    adapt: (body) => ({ region: 'iad1', ...body }),
  },
  {
    operation: 'updateProject',
    reason: 'three members that the Terraform provider sends, and that answers have, are not in its body',
    adapt: ({ gitComments: _, gitProviderOptions: __, productionDeploymentsFastLane: ___, ...body }) => body,
  },
  ...['createProjectEnv', 'editProjectEnv'].map((operation) => ({
    operation,
    reason: '`visibility`, which the command line sends and answers have, is not in its body',
    adapt: (body: Body): Body =>
      Array.isArray(body) ? (body.map(withoutVisibility) as unknown as Body) : withoutVisibility(body),
  })),
  {
    operation: 'createSharedEnvVariable',
    reason:
      '`applyToAllCustomEnvironments`, which the Terraform provider sends and answers have, is not in its body',
    adapt: ({ applyToAllCustomEnvironments: _, ...body }) => body,
  },
  {
    operation: 'updateSharedEnvVariable',
    reason: 'the same',
    adapt: ({ updates, ...body }) => ({
      ...body,
      updates: Object.fromEntries(
        Object.entries(updates as Record<string, Body>).map(
          ([id, { applyToAllCustomEnvironments: _, ...one }]) => [id, one],
        ),
      ),
    }),
  },
  ...['addRoute', 'editRoute'].map((operation) => ({
    operation,
    reason:
      'the members of `headers` and of `target` were lost in the SDK: any are free-form maps; `continue` and `check`, which the command line sends, are not in its body',
    adapt: ({ route: rule, ...body }: Body) => ({
      ...body,
      route: { ...(rule as Body), route: withoutMembers((rule as Body).route as Body) },
    }),
  })),
  ...['createDrain', 'updateDrain'].map((operation) => ({
    operation,
    reason: 'zod defaults of a bucket are filled in by the SDK, and types that may be null lost the null',
    adapt: ({ delivery, ...body }: Body) => ({
      ...Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null)),
      ...(delivery
        ? {
            delivery: {
              ...((delivery as Body).type === 's3' ? { serverSideEncryption: 'AES256' } : {}),
              ...(delivery as Body),
            },
          }
        : {}),
    }),
  })),
];

const withoutVisibility = ({ visibility: _, ...body }: Body): Body => body;
const withoutMembers = ({ headers, transforms, continue: _, check: __, ...route }: Body): Body => ({
  ...route,
  ...(headers ? { headers: {} } : {}),
  ...(transforms
    ? { transforms: (transforms as Body[]).map((one) => ({ ...one, ...(one.target ? { target: {} } : {}) })) }
    : {}),
});

/** Bodies that the SDK cannot judge, and why: held against the reference by the twin alone. */
export const unknown: Record<string, string> = {
  'PATCH /v1/projects/{idOrName}/rolling-release/config': 'the SDK has the operation without a body',
  'POST /v1/ai-gateway/rules': 'the SDK has the operation without a body',
  'PATCH /v1/ai-gateway/rules': 'the SDK has the operation without a body',
  'PUT /ai-gateway/budgets': 'the SDK does not have the operation',
  'PUT /ai-gateway/budgets/defaults': 'the SDK does not have the operation',
  'POST /ai-gateway/virtual-model-configs': 'the SDK has the operation without a body',
  'PATCH /ai-gateway/virtual-model-configs/{vmcSlug}': 'the SDK has the operation without a body',
  'POST /v2/sandboxes': 'the SDK does not have the operation',
  'POST /v3/sandboxes': 'the SDK does not have the operation',
  'PATCH /v2/sandboxes/{name}': 'the SDK dropped the operation',
  'PATCH /v1/global-config/{edgeConfigId}/items': 'the SDK dropped the operation',
  // Those with a body: of the others there is nothing to compare.
  ...Object.fromEntries(
    extraOperations
      .filter(({ method, path }) => (method === 'DELETE' ? path.endsWith('/links') : method !== 'GET'))
      .map(({ method, path }) => [`${method} ${path}`, 'the SDK has only operations of the catalog']),
  ),
};

/**
 * The union of envelopes ends in one that takes any value, so each value is also held against the schema of its own variant,
 * by the number that the SDK gives it. (The enums of `action` are shifted against the variants: only `value` is usable.)
 */
export const envelopeValues: Record<
  string,
  { safeParse(value: unknown): { success: boolean; data?: unknown } }
> = {
  'rules.insert': firewall.UpdateFirewallConfigRequestBodySecurityRequest11Value$outboundSchema,
  'rules.update': firewall.UpdateFirewallConfigRequestBodySecurityRequest12Value$outboundSchema,
  'crs.update': firewall.UpdateFirewallConfigRequestBodySecurityRequest15Value$outboundSchema,
  'ip.insert': firewall.UpdateFirewallConfigRequestBodySecurityRequest17Value$outboundSchema,
  'ip.update': firewall.UpdateFirewallConfigRequestBodySecurityRequest18Value$outboundSchema,
  'managedRules.update': firewall.UpdateFirewallConfigRequestBodySecurityRequest20Value$outboundSchema,
};

const folder = path.resolve(import.meta.dirname, '../../node_modules/@vercel/sdk/esm/funcs');

/** The SDK's function for each operation, and what it calls the body; undefined where it takes nothing but that. */
export function functionNames(): Map<string, { name: string; member: string | undefined }> {
  const files = readdirSync(folder).filter((file) => file.endsWith('.js'));
  return new Map(
    files.flatMap((file) => {
      const text = readFileSync(path.join(folder, file), 'utf8');
      const id = /operationID: "([^"]+)"/.exec(text)?.[1];
      const body = /encodeJSON\("body", payload\.(\w)(\w+)/.exec(text);
      const isAll = text.includes('encodeJSON("body", payload,');
      const member = body ? body[1]!.toLowerCase() + body[2] : isAll ? undefined : 'requestBody';
      return id === undefined ? [] : [[id, { name: file.slice(0, -3), member }]];
    }),
  );
}

type Call = (client: VercelCore, request: unknown) => Promise<{ error?: Error }>;

/** How the SDK's own request differs from ours, in words. */
export async function differences(
  { operationId, method, path: asked, body }: LoggedRequest,
  functions: ReturnType<typeof functionNames>,
  used: Set<unknown>,
): Promise<string[]> {
  const operation = route(method, asked.split('?')[0]!)!.operation;
  const place = `${operation.method} ${operation.path}`;
  if (unknown[place]) {
    used.add(place);
    return [];
  }
  const known = functions.get(operationId!);
  if (known === undefined) return [`${operationId ?? place} is not in the SDK`];
  const url = new URL(asked, 'http://localhost');
  let ours = body;
  for (const exception of exceptions.filter((one) => one.operation === operationId)) {
    const adapted = exception.adapt(ours as Body);
    if (canonicalJson(adapted) !== canonicalJson(ours)) used.add(exception);
    ours = adapted;
  }

  let theirs: Request | undefined;
  const fetcher = async (input: unknown) => {
    theirs = input as Request;
    return Response.json({});
  };
  const httpClient = new HTTPClient({ fetcher });
  const client = new VercelCore({ bearerToken: 'x', serverURL: url.origin, httpClient });
  const { name, member } = known;
  const calls = (await import(`@vercel/sdk/funcs/${name}.js`)) as Record<string, Call>;
  const { error } = await calls[name]!(client, {
    ...parameters(operation.path, url),
    ...(member === undefined ? (ours as Body) : { [member]: ours }),
  });
  if (!theirs) return [`${operationId} refuses ${canonicalJson(ours)}: ${error?.cause ?? error}`];

  const target = new URL(theirs.url);
  const said = canonicalJson(await theirs.json());
  return [
    ...(`${theirs.method} ${target.pathname}` === `${method} ${url.pathname}`
      ? []
      : [`${operationId} goes to ${theirs.method} ${target.pathname}`]),
    ...(said === canonicalJson(ours) ? [] : [`${operationId} makes ${said} of ${canonicalJson(ours)}`]),
  ];
}

/** The values of a path's placeholders and of the query. */
function parameters(template: string, url: URL): Record<string, string> {
  const parts = url.pathname.split('/');
  const inPath = template.split('/').flatMap((part, index) => {
    const name = /^\{(\w+)\}$/.exec(part)?.[1];
    return name === undefined ? [] : [[name, decodeURIComponent(parts[index]!)]];
  });
  return { ...Object.fromEntries(url.searchParams), ...Object.fromEntries(inPath) };
}
