import { isPlainObject, type Sealed, type StateReading } from '#kind';
import type { Attributes } from './attributes.ts';

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

export function edgeConfigSchema(attributes: Attributes): StateReading {
  attributes.skip('team_id');
  const store = inStore(attributes, 'id');
  const definition = attributes.json('definition') ?? {};
  if (isPlainObject(definition))
    return attributes.reading([{ kind: 'globalConfigSchema', in: store, object: { definition } }]);
  attributes.leave('`definition` is not JSON');
  return attributes.reading([]);
}

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

/** Returns a connection string with `${secret}` and `${id}` in it; undefined if it is of another form. */
function connectionForm(connection: Sealed, token: Sealed, store: string): string | undefined {
  const form = connection
    .reveal()
    .replace(token.reveal(), () => '${secret}')
    .replace(store, () => '${id}');
  return /^https:\/\/[\w.-]+\/\$\{id\}\?token=\$\{secret\}$/.test(form) ? form : undefined;
}
