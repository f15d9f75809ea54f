// TypeBox's functions for the SDK's schemas, without loading TypeBox: only its types are imported. In a file that also
// imports these types, declarations use their names instead of `import("typebox")` at each field.
import type * as TypeBox from "typebox";

/** Sets a field by which TypeBox recognizes a kind of schema, and omits it from the schema's JSON. */
function hide(schema: object, name: "~kind" | "~optional" | "~unsafe", value: unknown): never {
  return Object.defineProperty(schema, name, { configurable: true, writable: true, value }) as never;
}

function copy(schema: object): object {
  return Object.defineProperties({}, Object.getOwnPropertyDescriptors(schema));
}

function arrayOf<Item extends TypeBox.TSchema>(items: Item, options?: TypeBox.TArrayOptions): TypeBox.TArray<Item> {
  return hide({ type: "array", items, ...options }, "~kind", "Array");
}

function boolean(options?: TypeBox.TSchemaOptions): TypeBox.TBoolean {
  return hide({ type: "boolean", ...options }, "~kind", "Boolean");
}

function enumOf<Values extends TypeBox.TEnumValue[]>(
  values: readonly [...Values],
  options?: TypeBox.TSchemaOptions,
): TypeBox.TEnum<Values> {
  return hide({ enum: values, ...options }, "~kind", "Enum");
}

function integer(options?: TypeBox.TNumberOptions): TypeBox.TInteger {
  return hide({ type: "integer", ...options }, "~kind", "Integer");
}

function literal<Value extends TypeBox.TLiteralValue>(
  value: Value,
  options?: TypeBox.TSchemaOptions,
): TypeBox.TLiteral<Value> {
  return hide({ type: typeof value, const: value, ...options }, "~kind", "Literal");
}

function nothing(options?: TypeBox.TSchemaOptions): TypeBox.TNull {
  return hide({ type: "null", ...options }, "~kind", "Null");
}

function number(options?: TypeBox.TNumberOptions): TypeBox.TNumber {
  return hide({ type: "number", ...options }, "~kind", "Number");
}

function object<Properties extends TypeBox.TProperties>(
  properties: Properties,
  options?: TypeBox.TObjectOptions,
): TypeBox.TObject<Properties> {
  const required = Object.keys(properties).filter((name) => !Object.hasOwn(properties[name] ?? {}, "~optional"));
  return hide({ type: "object", ...(required.length > 0 && { required }), properties, ...options }, "~kind", "Object");
}

function optional<Schema extends TypeBox.TSchema>(schema: Schema): TypeBox.TAddOptional<Schema> {
  return hide(copy(schema), "~optional", true);
}

function text(options?: TypeBox.TStringOptions): TypeBox.TString {
  return hide({ type: "string", ...options }, "~kind", "String");
}

function union<Schemas extends TypeBox.TSchema[]>(
  anyOf: [...Schemas],
  options?: TypeBox.TSchemaOptions,
): TypeBox.TUnion<Schemas> {
  return hide({ anyOf, ...options }, "~kind", "Union");
}

function unknown(options?: TypeBox.TSchemaOptions): TypeBox.TUnknown {
  return hide({ ...options }, "~kind", "Unknown");
}

/** Gives a schema an explicit type. */
function unsafe<Type>(schema: TypeBox.TSchema): TypeBox.TUnsafe<Type> {
  return hide(copy(schema), "~unsafe", null);
}

export {
  arrayOf as Array,
  boolean as Boolean,
  enumOf as Enum,
  integer as Integer,
  literal as Literal,
  nothing as Null,
  number as Number,
  object as Object,
  optional as Optional,
  text as String,
  union as Union,
  unknown as Unknown,
  unsafe as Unsafe,
};
