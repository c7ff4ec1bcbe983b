import { describe, expect, it } from 'vitest';
import { type Places, programs } from '../../../src/pure/finding';

const places = (given: Partial<Places>): Places => ({
  setting: [],
  path: '/usr/bin:/opt/bin',
  home: '/home/ada',
  windows: false,
  trusted: true,
  folders: ['/w/api', '/w/api/sub'],
  interpreter: undefined,
  ...given,
});
const commands = (given: Partial<Places>): string[] => programs(places(given)).map(({ command }) => command);

describe('without a setting', () => {
  it('PATH comes first, then the environment that Python uses, then those of the folders', () => {
    expect(commands({ interpreter: '/envs/x/bin/python' })).toEqual([
      '/usr/bin/memofs',
      '/opt/bin/memofs',
      '/home/ada/.local/bin/memofs',
      '/envs/x/bin/memofs',
      '/w/api/.venv/bin/memofs',
      '/w/api/venv/bin/memofs',
      '/w/api/sub/.venv/bin/memofs',
      '/w/api/sub/venv/bin/memofs',
    ]);
  });

  it.each(['.', '', 'bin', './node_modules/.bin', '../x'])(
    'a relative folder of PATH (%o) is passed over',
    (folder) => {
      expect(commands({ path: `${folder}:/usr/bin`, home: '', folders: [] })).toEqual(['/usr/bin/memofs']);
    },
  );

  it('an untrusted workspace is looked into by no way', () => {
    const found = commands({
      trusted: false,
      path: '/w/api/.venv/bin:/usr/bin:/w/api',
      interpreter: '/w/api/.venv/bin/python',
    });
    expect(found).toEqual(['/usr/bin/memofs', '/home/ada/.local/bin/memofs']);
  });

  it('on Windows the program has an ending and the environment another folder', () => {
    const sources = programs(places({ windows: true, path: '', home: '' }));
    expect(sources.map(({ command }) => command)).toContain('/w/api/.venv/Scripts/memofs.exe');
  });
});

describe('with a setting', () => {
  it.each([
    ['an absolute path', ['/opt/memofs'], ['/opt/memofs']],
    ['a path of the user’s', ['~/bin/memofs'], ['/home/ada/bin/memofs']],
    ['a path in the root', ['tools/memofs'], ['/w/api/tools/memofs']],
    ['a path with a variable', [`$\{workspaceFolder}/m`], ['/w/api/m']],
    ['a name on PATH', ['uv'], ['/usr/bin/uv', '/opt/bin/uv', '/home/ada/.local/bin/uv']],
  ])('only it counts: %s', (_, setting, wanted) => {
    expect(commands({ setting })).toEqual(wanted);
  });

  it('its arguments are kept', () => {
    expect(programs(places({ setting: ['/uv', 'run', 'memofs'] }))).toEqual([
      { command: '/uv', args: ['run', 'memofs'], source: 'setting' },
    ]);
  });

  it('an empty command is none', () => {
    expect(commands({ setting: [' '] })).toContain('/usr/bin/memofs');
  });
});
