/**
 * A harbour's colours as CSS variables, and the Tailwind colours that point at them.
 *
 * The style sheet is built once for all harbours: its classes name roles (`bg-brand`), the roles are variables, and
 * a harbour's theme sets the variables on the root element. So a new harbour needs no build.
 */

export type Role = "brand" | "on-brand" | "surface" | "on-surface" | "accent" | "danger";

/** Colours as `#rrggbb`; roles left out keep the house colours. */
export type Theme = Partial<Readonly<Record<Role, string>>>;

export const HOUSE_THEME: Readonly<Record<Role, string>> = {
  brand: "#0b4f6c",
  "on-brand": "#ffffff",
  surface: "#fbfbfa",
  "on-surface": "#1d2429",
  accent: "#b8560f",
  danger: "#a4161a",
};

/** WCAG AA for normal text. The harbour map is read in sunlight, so nothing below it is let through. */
export const MIN_CONTRAST = 4.5;

/** For `theme.extend.colors` in the Tailwind configuration. The triple form is what makes `bg-brand/50` work. */
export function tailwindColors(): Record<Role, string> {
  const roles = Object.keys(HOUSE_THEME) as Role[];
  return Object.fromEntries(
    roles.map((role) => [role, `rgb(var(${variable(role)}) / <alpha-value>)`]),
  ) as Record<Role, string>;
}

/** The variables of a theme, ready for `style.setProperty`; colours that cannot be read are left at the house's. */
export function toCssVariables(theme: Theme): Map<string, string> {
  const colours = readable({ ...HOUSE_THEME, ...valid(theme) });
  const variables = new Map<string, string>();
  for (const [role, colour] of Object.entries(colours) as [Role, string][]) {
    variables.set(variable(role), channels(colour).join(" "));
  }
  return variables;
}

/** Set a theme on an element, by default on the whole page. */
export function applyTheme(theme: Theme, element: HTMLElement = document.documentElement): void {
  for (const [name, value] of toCssVariables(theme)) element.style.setProperty(name, value);
}

/** Contrast of two colours, 1 to 21. Source: WCAG 2.2, relative luminance and contrast ratio. */
export function contrast(a: string, b: string): number {
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

/**
 * The colours with a text colour on the brand that can be read. Harbours send the blue of their flag, and half of
 * the time white on it is too faint; then black is taken, which passes wherever white fails.
 */
function readable(colours: Record<Role, string>): Record<Role, string> {
  if (contrast(colours.brand, colours["on-brand"]) >= MIN_CONTRAST) return colours;
  const onBrand = contrast(colours.brand, "#ffffff") >= MIN_CONTRAST ? "#ffffff" : "#000000";
  return { ...colours, "on-brand": onBrand };
}

function valid(theme: Theme): Theme {
  return Object.fromEntries(
    Object.entries(theme).filter(([role, colour]) => role in HOUSE_THEME && /^#[0-9a-f]{6}$/i.test(colour)),
  );
}

function variable(role: Role): string {
  return `--color-${role}`;
}

function channels(colour: string): [number, number, number] {
  const value = Number.parseInt(colour.slice(1), 16);
  return [value >> 16, (value >> 8) & 0xff, value & 0xff];
}

function luminance(colour: string): number {
  const [r, g, b] = channels(colour).map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
