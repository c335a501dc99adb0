import { hash } from 'node:crypto';
import path from 'node:path';
import { comparedFields } from '../../kind/compare.ts';
import type { Kind, Kinds } from '../../kind/kind.ts';
import { traitsOf } from '../../kind/traits.ts';
import type { Address } from '../../model/address.ts';
import { type Diagnostic, problem } from '../../model/diagnostic.ts';
import { groupBy } from '../../model/graph.ts';
import type { Resource } from '../../model/resource.ts';
import { FileContent, maxFileContentBytes } from '../../model/value.ts';
import type { FindFieldSpot } from '../blocks/assemble-resources.ts';
import type { FoundFile } from '../find-files.ts';
import { readRegularFile } from '../sources/regular-file.ts';
import type { Sources } from '../sources/sources.ts';
import { type SourceRequest, type SourceVerdict, toRefusal } from '../sources/verdict.ts';
import { positionOf } from '../yaml/source.ts';

/**
 * The context in which picture files are read. `files`: the files of the configuration, whose folders relative paths
 * start in.
 */
interface PictureOptions {
  kinds: Kinds;
  files: FoundFile[];
  findSpot: FindFieldSpot;
  sources: Sources;
  stack: string;
}

/** A field that names a picture file, with the request to read the file. */
interface PictureField {
  resource: Resource;
  field: string;
  request: SourceRequest;
}

/**
 * Reads the picture files that fields name, and replaces each path in the resources by a digest of the file,
 * so that the plan compares pictures like other values. A file is read only if git tracks it or the operator
 * allows it.
 *
 * In the result, `read.contents` has the contents by digest, for the upload; `refused` says why files were
 * not read; `asked` lists all requested files, since the configuration depends on them (`--changed-since`).
 */
export async function readPictures(
  resources: ReadonlyMap<Address, Resource>,
  { kinds, files, findSpot, sources, stack }: PictureOptions,
): Promise<{ read: { contents?: Map<string, FileContent> }; refused: Diagnostic[]; asked: SourceRequest[] }> {
  const folders = new Map(
    files.flatMap(({ name, path: file, text }) => (text === undefined ? [[name, path.dirname(file)]] : [])),
  );
  // Determined once for each kind: there may be many resources, and few have a picture.
  const resourcesByKind = [...groupBy(resources.values(), ({ kind }) => kind)];
  const pictures = resourcesByKind.flatMap(([kind, resourcesOfKind]) => {
    const names = pictureFields(kinds.get(kind)!);
    if (names.length === 0) return [];
    return resourcesOfKind.flatMap((resource) => pictureFieldsOf(resource, names, { folders, findSpot }));
  });
  // Without a folder, the configuration comes from no file, so a relative path leads nowhere.
  const hasFolder = ({ request }: PictureField) => request.folder !== '';
  const readable = pictures.filter(hasFolder);
  const refused = pictures.filter((picture) => !hasFolder(picture)).map(noFolderProblem);
  const asked = readable.map(({ request }) => request);
  if (readable.length === 0) return { read: {}, refused, asked };
  const contents = new Map<string, FileContent>();
  const verdicts = await sources.judge(asked, stack);
  for (const [index, { resource, field, request }] of readable.entries()) {
    const picture = await readPicture(request, verdicts[index]!);
    if (picture instanceof FileContent) {
      const digest = pictureDigest(picture);
      contents.set(digest, picture);
      resource.fields[field] = digest;
    } else refused.push(picture);
  }
  return { read: { contents }, refused, asked };
}

/**
 * Returns the problem with a field that names the file of a picture, if the configuration comes from standard
 * input or from a text: a path is relative to the file that contains it, and there is none.
 */
const noFolderProblem = ({ request: { name, at } }: PictureField): Diagnostic =>
  problem(
    'file/no-folder',
    `the file \`${name}\` is not read: this configuration does not come from a file`,
    {
      at,
      hint: 'paths are relative to the file that names them; put it in a file',
    },
  );

/** Returns the names of the fields of a kind that name picture files, whose content `apply` uploads. */
const pictureFields = (kind: Kind): string[] =>
  Object.entries(comparedFields(kind)).flatMap(([field, schema]) =>
    traitsOf(schema).file === undefined ? [] : [field],
  );

/**
 * Returns the fields of a resource that name picture files, each with the request to read its file. All
 * requests are decided together, so that a person is asked only once. `names`: the fields that can name a
 * picture. `folders`: the folder of each configuration file. The file with the field decides where a relative
 * path starts: it may be that of a template.
 */
function pictureFieldsOf(
  resource: Resource,
  names: string[],
  { folders, findSpot }: { folders: ReadonlyMap<string, string>; findSpot: FindFieldSpot },
): PictureField[] {
  const { address, fields } = resource;
  return names.flatMap((field) => {
    const file = fields[field];
    if (typeof file !== 'string') return [];
    const spot = findSpot(address, field);
    const position = spot ? positionOf(spot) : resource.at;
    // Empty for a configuration that comes from no file: the picture is refused later.
    const folder = folders.get(position.file) ?? '';
    return [
      {
        resource,
        field,
        request: { use: 'file' as const, name: file, origin: { file }, folder, at: position },
      },
    ];
  });
}

/**
 * Returns the content of one picture, or the problem with it. Only pictures may be read, because the content is
 * uploaded. `verdict`: whether the file may be read.
 */
async function readPicture(
  request: SourceRequest,
  verdict: SourceVerdict,
): Promise<FileContent | Diagnostic> {
  if (!verdict.allowed) return toRefusal(request, verdict)!;
  const fileProblem = (message: string, hint: string) =>
    problem('file/picture', `the file \`${request.name}\` ${message}`, { at: request.at, hint });
  try {
    const bytes = await readRegularFile(verdict.path!, maxFileContentBytes);
    if (bytes === 'special') return fileProblem('is not a regular file', 'use a regular file');
    if (bytes === 'too-large') return fileProblem('is larger than 5 MiB', 'use a smaller picture');
    const type = pictureTypeOf(bytes);
    return type === undefined
      ? fileProblem('is not a JPEG, PNG or SVG', 'the content decides, not the file name')
      : new FileContent(bytes, type);
  } catch (error) {
    return fileProblem(
      `cannot be read (${(error as NodeJS.ErrnoException).code})`,
      'make sure it is readable',
    );
  }
}

const svg = 'image/svg+xml';

/**
 * Returns the media type of a picture that a field names and `apply` uploads, by its content; undefined for any other content. The file
 * name does not count, so that a file with secrets is never uploaded by mistake.
 */
function pictureTypeOf(bytes: Buffer): string | undefined {
  // All PNG and JPEG files begin with these bytes.
  if (bytes.subarray(0, 8).equals(Buffer.from('89504e470d0a1a0a', 'hex'))) return 'image/png';
  if (bytes.subarray(0, 3).equals(Buffer.from('ffd8ff', 'hex'))) return 'image/jpeg';
  // `<svg>`, perhaps after `<?xml ...>`, comments and `<!DOCTYPE ...>`.
  const prolog = /^\uFEFF?\s*(<\?xml[^>]*>\s*|<!--.*?-->\s*|<!DOCTYPE[^>]*>\s*)*<svg[\s>]/s;
  return prolog.test(bytes.subarray(0, 4096).toString('utf8')) ? svg : undefined;
}

/**
 * Returns the digest that represents a picture in fields. The platform computes the same one: SHA-1, with a prefix for
 * SVG.
 */
const pictureDigest = ({ bytes, type }: FileContent): string =>
  `${type === svg ? 'svg:' : ''}${hash('sha1', bytes)}`;
