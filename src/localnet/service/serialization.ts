import { type Options, SerializerSelector } from "@fastify/fast-json-stringify-compiler";
import type { FastifySerializerCompiler } from "fastify";
import type { TSchema } from "typebox";

type Serializer = (data: unknown) => string;

const compile = SerializerSelector()({}, {} satisfies Options);

/** By schema: networks of one process share them. */
const serializers = new WeakMap<TSchema, Serializer>();

/** Writes answers by their schema, with Fastify's own compiler. A schema is compiled when it is first needed. */
export const compileSerializer: FastifySerializerCompiler<TSchema> = (route) => {
  return (data: unknown) => {
    const { schema } = route;
    const serialize = serializers.get(schema) ?? compile({ httpStatus: "default", ...route });
    serializers.set(schema, serialize);
    return serialize(data);
  };
};
