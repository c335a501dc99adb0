import { isPlainObject, type Sealed, type StateReading } from '#kind';
import type { Attributes } from './attributes.ts';

/** Converts a `vercel_edge_config` (a key-value store) of a Terraform state to objects of the account, for `trueup from terraform`. */
export function edgeConfig(attributes: Attributes): StateReading {
  attributes.skip('team_id');
  return attributes.reading([
    { kind: 'globalConfig', object: attributes.renamed({ id: 'id', name: 'slug' }) },
  ]);
}

const inStore = (attributes: Attributes, member = 'edge_config_id') => ({
  kind: 'globalConfig',
  id: attributes.text(member)!,
});

/** A value of any type stands in a state beside its type. */
const unwrapped = (value: unknown): unknown =>
  isPlainObject(value) && 'value' in value && 'type' in value && Object.keys(value).length === 2
    ? value.value
    : value;

/**
 * Converts a `vercel_edge_config_item` of a Terraform state to objects of the account, for `trueup from terraform`. Its value is a text or
 * JSON, in different attributes.
 */
export function edgeConfigItem(attributes: Attributes): StateReading {
  attributes.skip('id', 'team_id');
  const { json, text, ...rest } = attributes.renamed({
    description: 'description',
    key: 'key',
    value: 'text',
    value_json: 'json',
  });
  const object = { ...rest, value: json === undefined ? text : unwrapped(json) };
  return attributes.reading([{ kind: 'globalConfigItem', in: inStore(attributes), object }]);
}

/**
 * Converts a `vercel_edge_config_schema` (the JSON schema of a store's items) of a Terraform state to objects of the
 * account, for `trueup from terraform`.
 */
export function edgeConfigSchema(attributes: Attributes): StateReading {
  attributes.skip('team_id');
  const store = inStore(attributes, 'id');
  const definition = attributes.json('definition') ?? {};
  if (isPlainObject(definition))
    return attributes.reading([{ kind: 'globalConfigSchema', in: store, object: { definition } }]);
  attributes.leave('`definition` is not JSON');
  return attributes.reading([]);
}

/**
 * Converts a `vercel_edge_config_token` of a Terraform state to objects of the account, for `trueup from terraform`. The platform shows the
 * token only at the creation. Also recognizes connection strings that contain it.
 */
export function edgeConfigToken(attributes: Attributes): StateReading {
  attributes.skip('team_id');
  const store = inStore(attributes);
  const [token, connection] = [attributes.sealed('token'), attributes.sealed('connection_string')];
  const form = token && connection && connectionForm(connection, token, store.id);
  const shown = [
    ...(token ? [{ text: token, value: '${secret}' }] : []),
    ...(form ? [{ text: connection, value: form }] : []),
  ];
  const object = attributes.renamed({ id: 'id', label: 'label' });
  return attributes.reading([{ kind: 'globalConfigToken', in: store, object, shown }]);
}

/**
 * Returns the form of a store's connection string, with `${secret}` and `${id}` for the token and the store, to
 * recognize variables with that string; undefined if it has another form.
 */
function connectionForm(connection: Sealed, token: Sealed, store: string): string | undefined {
  const form = connection
    .reveal()
    .replace(token.reveal(), () => '${secret}')
    .replace(store, () => '${id}');
  return /^https:\/\/[\w.-]+\/\$\{id\}\?token=\$\{secret\}$/.test(form) ? form : undefined;
}
