import { hash } from 'node:crypto';
import path from 'node:path';
import type { Kind, Kinds } from '../../kind/kind.ts';
import { comparedFields } from '../../kind/leaves.ts';
import { traitsOf } from '../../kind/traits.ts';
import type { Address } from '../../model/address.ts';
import { type Diagnostic, problem } from '../../model/diagnostic.ts';
import { groupBy } from '../../model/graph.ts';
import type { Resource } from '../../model/resource.ts';
import { FileContent } from '../../model/value.ts';
import type { FoundFile } from '../find-files.ts';
import { readRegularFile } from '../sources/regular-file.ts';
import type { Sources } from '../sources/sources.ts';
import { type SourceRequest, toRefusal, type Verdict } from '../sources/verdict.ts';

const maxPictureBytes = 5 * 1024 * 1024;

interface PictureOptions {
  kinds: Kinds;
  files: FoundFile[];
  sources: Sources;
  stack: string;
}

/** A field that names a picture file. */
interface PictureField {
  resource: Resource;
  field: string;
  request: SourceRequest;
}

/**
 * Reads the picture files that fields name, and replaces each path by a digest of the content. From then on the picture is plain data for
 * the plan. A file is read only under the rule for all files that a configuration names: git tracks it, or the operator allows it.
 *
 * `refused`: why a file was not read; `asked`: all files that are named.
 */
export async function readPictures(
  resources: ReadonlyMap<Address, Resource>,
  { kinds, files, sources, stack }: PictureOptions,
): Promise<{ read: { contents?: Map<string, FileContent> }; refused: Diagnostic[]; asked: SourceRequest[] }> {
  const folders = new Map(
    files.flatMap(({ name, path: file, text }) => (text === undefined ? [[name, path.dirname(file)]] : [])),
  );
  // Asked once for each kind: there may be many resources, and few have a picture.
  const all = [...groupBy(resources.values(), ({ kind }) => kind)].flatMap(([kind, of]) => {
    const names = pictureFields(kinds.get(kind)!);
    return names.length === 0 ? [] : of.flatMap((resource) => pictureFieldsOf(resource, names, folders));
  });
  const contents = new Map<string, FileContent>();
  const named = all.filter(({ request }) => request.folder !== '');
  const refused = all
    .filter(({ request }) => request.folder === '')
    .map(({ request: { name, at } }) =>
      problem(
        'file/no-folder',
        `the file \`${name}\` is not read: this configuration does not come from a file`,
        {
          at,
          hint: 'paths are relative to the file that names them; put it in a file',
        },
      ),
    );
  const asked = named.map((one) => one.request);
  if (named.length === 0) return { read: {}, refused, asked };
  const verdicts = await sources.judge(asked, stack);
  for (const [index, { resource, field, request }] of named.entries()) {
    const picture = await readPicture(request, verdicts[index]!);
    if (!(picture instanceof FileContent)) refused.push(picture);
    else {
      const value = pictureDigest(picture);
      contents.set(value, picture);
      resource.fields[field] = value;
    }
  }
  return { read: { contents }, refused, asked };
}

/** Returns the fields of a kind that name picture files. */
const pictureFields = (kind: Kind): string[] =>
  Object.entries(comparedFields(kind)).flatMap(([field, schema]) =>
    traitsOf(schema).file === undefined ? [] : [field],
  );

/** Returns the picture fields of a resource that have a path. Relative paths start at the folder of the file that declares the resource. */
function pictureFieldsOf(
  resource: Resource,
  names: string[],
  folders: ReadonlyMap<string, string>,
): PictureField[] {
  const { fields, at } = resource;
  return names.flatMap((field) => {
    const file = fields[field];
    if (typeof file !== 'string') return [];
    const folder = folders.get(at.file) ?? '';
    return [{ resource, field, request: { use: 'file' as const, name: file, origin: { file }, folder, at } }];
  });
}

/** Returns the content of one picture, or the problem with it. */
async function readPicture(asked: SourceRequest, verdict: Verdict): Promise<FileContent | Diagnostic> {
  const refused = toRefusal(asked, verdict);
  if (refused || !verdict.allowed) return refused!;
  const wrong = (message: string, hint: string) =>
    problem('file/picture', `the file \`${asked.name}\` ${message}`, { at: asked.at, hint });
  try {
    const bytes = await readRegularFile(verdict.path!, maxPictureBytes);
    if (bytes === 'special') return wrong('is not a regular file', 'use a regular file');
    if (bytes === 'too-large') return wrong('is larger than 5 MiB', 'use a smaller picture');
    const type = pictureTypeOf(bytes);
    return type === undefined
      ? wrong('is not a JPEG, PNG or SVG', 'the content decides, not the file name')
      : new FileContent(bytes, type);
  } catch (error) {
    return wrong(`cannot be read (${(error as NodeJS.ErrnoException).code})`, 'make sure it is readable');
  }
}

const svg = 'image/svg+xml';

/** Returns the media type of a picture by its content; undefined for anything else. So a file with secrets is never sent by mistake. */
function pictureTypeOf(bytes: Buffer): string | undefined {
  if (bytes.subarray(0, 8).equals(Buffer.from('89504e470d0a1a0a', 'hex'))) return 'image/png';
  if (bytes.subarray(0, 3).equals(Buffer.from('ffd8ff', 'hex'))) return 'image/jpeg';
  const prolog = /^\uFEFF?\s*(<\?xml[^>]*>\s*|<!--.*?-->\s*|<!DOCTYPE[^>]*>\s*)*<svg[\s>]/s;
  return prolog.test(bytes.subarray(0, 4096).toString('utf8')) ? svg : undefined;
}

/** Returns the digest that represents a picture in fields: SHA-1, with a prefix for SVG, because the platform computes it like this. */
const pictureDigest = ({ bytes, type }: FileContent): string =>
  `${type === svg ? 'svg:' : ''}${hash('sha1', bytes)}`;
