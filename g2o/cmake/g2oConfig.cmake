# find_package(g2o) with -Dg2o_DIR=$(python -m g2o --cmake-dir), as docs/cmake.md describes.
#
#   G2O_EXECUTABLE     the command that runs g2o
#   g2o_translate()    adds translations of CUDA sources to a target
#
#   g2o_translate(target SOURCES FILE...
#                 [TARGET cpu|offload|portable]
#                 [GRAD SPEC...] [JVP SPEC...] [HVP SPEC...]
#                 [HEADER] [OPTIONS WORD...])

cmake_policy(VERSION 3.20)

include(CMakeFindDependencyMacro)
find_dependency(OpenMP)

# In an environment of Python, the command stands four folders above the packages.
find_program(G2O_EXECUTABLE g2o HINTS "${CMAKE_CURRENT_LIST_DIR}/../../../../../bin"
             DOC "The command that runs g2o.")
if(G2O_EXECUTABLE)
  execute_process(COMMAND "${G2O_EXECUTABLE}" --cmake-dir
                  OUTPUT_VARIABLE directory OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  get_filename_component(directory "${directory}" REALPATH)
  get_filename_component(own "${CMAKE_CURRENT_LIST_DIR}" REALPATH)
  if(NOT directory STREQUAL own)
    set(g2o_NOT_FOUND_MESSAGE "${G2O_EXECUTABLE} is not the g2o of ${own}; set G2O_EXECUTABLE")
  endif()
else()
  set(g2o_NOT_FOUND_MESSAGE "there is no command g2o in PATH; set G2O_EXECUTABLE")
endif()
if(g2o_NOT_FOUND_MESSAGE)
  set(g2o_FOUND FALSE)
endif()

# Translates the SOURCES, one program, whenever one of them or a file that they include has changed,
# and adds what is written to the target. Only translations whose text changes are compiled again.
function(g2o_translate target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "HEADER" "TARGET" "SOURCES;GRAD;JVP;HVP;OPTIONS")
  if(NOT TARGET ${target})
    message(FATAL_ERROR "g2o_translate: there is no target ${target}")
  endif()
  if(arg_UNPARSED_ARGUMENTS OR NOT arg_SOURCES)
    message(FATAL_ERROR "g2o_translate(target SOURCES FILE... [GRAD SPEC...] [TARGET cpu|offload|"
                        "portable] [HEADER] [OPTIONS ...]): got '${ARGN}'")
  endif()

  # A folder for each call: what includes a header may translate it in its own way.
  set_property(TARGET ${target} APPEND PROPERTY G2O_CALLS call)
  get_property(calls TARGET ${target} PROPERTY G2O_CALLS)
  list(LENGTH calls number)
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/g2o/${target}")
  if(number GREATER 1)
    string(APPEND folder "-${number}")
  endif()

  set(sources)
  set(translations)
  set(headers)
  foreach(source IN LISTS arg_SOURCES)
    get_filename_component(path "${source}" ABSOLUTE)
    file(RELATIVE_PATH name "${CMAKE_CURRENT_SOURCE_DIR}" "${path}")
    if(name MATCHES "^\\.\\./|^/")
      message(FATAL_ERROR "g2o_translate: ${source} is not below ${CMAKE_CURRENT_SOURCE_DIR}")
    endif()
    list(APPEND sources "${path}")
    if(name MATCHES "\\.cu$")
      string(REGEX REPLACE "\\.cu$" ".omp" name "${name}")
      list(APPEND translations "${folder}/${name}.cpp")
      list(APPEND headers "${folder}/${name}.h")
    elseif(name MATCHES "\\.c$")
      string(REGEX REPLACE "\\.c$" ".g2o.c" name "${name}")
      list(APPEND translations "${folder}/${name}")
    else()
      message(FATAL_ERROR "g2o_translate: ${source} is neither .cu nor .c")
    endif()
  endforeach()

  set(options ${arg_OPTIONS})
  if(arg_TARGET)
    list(APPEND options --target ${arg_TARGET})
  endif()
  foreach(kind GRAD JVP HVP)
    string(TOLOWER "--${kind}" option)
    foreach(spec IN LISTS arg_${kind})
      list(APPEND options "${option}=${spec}")
    endforeach()
    if("${kind}" IN_LIST arg_KEYWORDS_MISSING_VALUES)
      list(APPEND options "${option}=") # of every kernel
    endif()
  endforeach()
  if(arg_HEADER)
    list(APPEND options --header)
  endif()

  set(includes "$<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>")
  set(definitions "$<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>")
  set(stamp "${folder}/stamp")
  file(MAKE_DIRECTORY "${folder}")
  list(JOIN arg_SOURCES " " shown)
  add_custom_command(
    OUTPUT "${stamp}"
    BYPRODUCTS ${translations} "$<$<BOOL:${arg_HEADER}>:${headers}>"
    COMMAND ${G2O_EXECUTABLE} translate ${sources} ${options}
            "$<$<BOOL:${includes}>:-I$<JOIN:${includes},;-I>>"
            "$<$<BOOL:${definitions}>:-D$<JOIN:${definitions},;-D>>"
            --out-root "${folder}" --in-root "${CMAKE_CURRENT_SOURCE_DIR}"
            --depfile "${stamp}.d" --depfile-target "${stamp}"
    COMMAND "${CMAKE_COMMAND}" -E touch "${stamp}"
    DEPENDS ${sources} "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../version.py"
    DEPFILE "${stamp}.d"
    COMMENT "Translating ${shown}"
    COMMAND_EXPAND_LISTS VERBATIM)

  target_sources(${target} PRIVATE ${translations} "${stamp}")
  set_property(TARGET ${target} APPEND PROPERTY INCLUDE_DIRECTORIES "${folder}")
  if(arg_HEADER)
    set_property(TARGET ${target} APPEND PROPERTY INTERFACE_INCLUDE_DIRECTORIES
                                                  "$<BUILD_INTERFACE:${folder}>")
  endif()
  # As target_link_libraries(PRIVATE), which does not go with calls of it that have no such word.
  foreach(language C CXX)
    set(openmp OpenMP::OpenMP_${language})
    if(TARGET ${openmp})
      set_property(TARGET ${target} APPEND PROPERTY LINK_LIBRARIES ${openmp})
      set_property(TARGET ${target} APPEND PROPERTY INTERFACE_LINK_LIBRARIES
                                                    "$<LINK_ONLY:${openmp}>")
    endif()
  endforeach()
  get_target_property(standard ${target} CXX_STANDARD)
  if(NOT standard)
    set_target_properties(${target} PROPERTIES CXX_STANDARD 17 CXX_STANDARD_REQUIRED ON)
  endif()
endfunction()
